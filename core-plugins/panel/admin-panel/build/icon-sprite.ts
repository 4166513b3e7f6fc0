import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { appFolder } from './app-sources.ts'

/** Lucide's icon files, one per icon, with their licence. */
const folder = join(appFolder, 'ground/kit/icon/lucide')
const namespace = 'panel-icons'

/** The licence of the icons, for packages that contain them. */
export const iconLicence = join(folder, 'LICENSE')

/**
 * `import sprite from 'panel:icons'` is the URL of a sprite with a symbol for each icon in the folder.
 * `import names from 'panel:icon-names'` is the list of their names.
 */
export const iconSprite: Plugin = {
  name: 'icon sprite',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^panel:icons$/ }, () => ({ path: 'icons.svg', namespace }))
    onResolve({ filter: /^panel:icon-names$/ }, () => ({ path: 'icon-names.json', namespace }))
    onLoad({ filter: /.*/, namespace }, ({ path }) => {
      const isSprite = path === 'icons.svg'
      return {
        contents: isSprite ? spriteOf(iconNames()) : JSON.stringify(iconNames()),
        loader: isSprite ? 'file' : 'json',
        watchDirs: [folder],
      }
    })
  },
}

const iconNames = (): string[] =>
  readdirSync(folder)
    .flatMap((file) => (file.endsWith('.svg') ? [file.slice(0, -'.svg'.length)] : []))
    .sort()

function spriteOf(names: readonly string[]): string {
  const symbols = names.map((name) => symbolOf(name, readFileSync(join(folder, `${name}.svg`), 'utf8')))
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`
}

function symbolOf(name: string, svg: string): string {
  const shapes = svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'))
  return `<symbol id="${name}" viewBox="0 0 24 24">${shapes.replace(/\s*\n\s*/g, '')}</symbol>`
}
