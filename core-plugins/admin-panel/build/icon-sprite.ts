import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'
import { appFolder } from './app-sources.ts'

const list = join(appFolder, 'kit/icon/icon-names.json')

/** `import sprite from 'panel:icons'`: the address of one picture with a symbol for each icon of the list. */
export const iconSprite: Plugin = {
  name: 'icon sprite',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^panel:icons$/ }, () => ({ path: 'icons.svg', namespace: 'panel-icons' }))
    onLoad({ filter: /.*/, namespace: 'panel-icons' }, () => ({
      contents: spriteOf(JSON.parse(readFileSync(list, 'utf8'))),
      loader: 'file',
      watchFiles: [list],
    }))
  },
}

function spriteOf(names: readonly string[]): string {
  const folder = join(dirname(createRequire(import.meta.url).resolve('lucide-static/package.json')), 'icons')
  const symbols = names.map((name) => symbolOf(name, readFileSync(join(folder, `${name}.svg`), 'utf8')))
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`
}

function symbolOf(name: string, svg: string): string {
  const shapes = svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'))
  return `<symbol id="${name}" viewBox="0 0 24 24">${shapes.replace(/\s*\n\s*/g, '')}</symbol>`
}
