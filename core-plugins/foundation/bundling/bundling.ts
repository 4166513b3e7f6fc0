/* Scripts and styles for browsers, made of their sources: those of the panel, of panel modules and of the playground. */

export { supportedBrowsers } from './supported-browsers.ts'
export { withEsbuild } from './with-esbuild.ts'
