/** Whether only this machine can open the URL, which is the case in development. */
export const isLoopbackUrl = (url: string) =>
  URL.canParse(url) && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
