import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const api = { target: process.env["API_URL"] ?? "http://127.0.0.1:3000", changeOrigin: false };

export default defineConfig({
  plugins: [react()],
  // The server puts a fresh nonce in the mark's place, for each request.
  html: { cspNonce: "%NONCE%" },
  // An inlined file would be an address that the content security policy refuses.
  build: { assetsInlineLimit: 0 },
  server: { proxy: { "/api": api, "/healthz": api, "/readyz": api } },
});
