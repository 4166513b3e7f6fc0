/** Where the panel is served, whatever the prefix of the API. */
export const panelPath = '/admin'

/** Where its scripts and styles are. */
export const assetsPath = `${panelPath}/assets/`
