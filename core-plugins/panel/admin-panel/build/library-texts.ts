import { basename } from 'node:path'
import type { Plugin } from 'esbuild'
import { languages } from './catalogues.ts'

/**
 * The component library bundles its texts in more than thirty languages into one script. This plugin leaves out languages that
 * the panel does not have.
 */
export const libraryTexts: Plugin = {
  name: 'texts of libraries',
  setup({ onLoad }) {
    const spoken = new Set(languages())
    const texts =
      /[\\/]react-(aria|aria-components|stately)[\\/].*[\\/]intl[\\/](\w+[\\/])?[a-z]{2}-[A-Z]{2}\.mjs$/
    onLoad({ filter: texts }, ({ path }) =>
      spoken.has(basename(path).slice(0, 2)) ? undefined : { contents: 'export default {}' },
    )
  },
}
