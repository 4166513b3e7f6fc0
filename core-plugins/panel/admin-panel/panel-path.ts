/** The path of the panel, independent of the API prefix. */
export const panelPath = '/admin'

/** The path of its scripts and styles. */
export const assetsPath = `${panelPath}/assets/`
