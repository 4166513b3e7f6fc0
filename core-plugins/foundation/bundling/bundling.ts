/* Builds scripts and styles for browsers: those of the panel, of panel modules and of the playground. */

import { join } from 'node:path'

export { supportedBrowsers } from './supported-browsers.ts'
export { withEsbuild } from './with-esbuild.ts'

/** Colours, sizes and fonts of every page of the service, which themes set; see docs/themes.md. */
export const tokensFile = join(import.meta.dirname, 'tokens.css')
