/** The browsers that the panel and other pages of the service support. */
export const supportedBrowsers = ['es2022', 'chrome111', 'firefox115', 'safari16.4'] as const
