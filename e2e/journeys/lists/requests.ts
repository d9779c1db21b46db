export const theList = (url: URL) => url.pathname === "/api/apps";
