import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import {
  checkContrast,
  unreadableColors,
} from '../../core-plugins/panel/extensions/themes/contrast/check-contrast.ts'
import {
  contrastOf,
  hexOf,
  mix,
  parseColor,
} from '../../core-plugins/panel/extensions/themes/contrast/color.ts'
import { darkColors, lightColors } from '../../core-plugins/panel/extensions/themes/contrast/panel-colors.ts'

const root = join(import.meta.dirname, '../..')

/** The custom properties of the first block after a selector in a style sheet. */
function propertiesAfter(selector: string): Record<string, string> {
  const styles = readFileSync(join(root, 'core-plugins/foundation/bundling/tokens.css'), 'utf8')
  const block = styles.slice(styles.indexOf(selector)).match(/\{([^{}]*)\}/)?.[1] ?? ''
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

describe('the contrast of a theme', () => {
  it('is checked against the colours that the panel has', () => {
    const [light, dark] = [propertiesAfter(':root,'), propertiesAfter(':root[data-mode="dark"],')]
    const known = (all: Record<string, string>, names: object) =>
      Object.fromEntries(Object.keys(names).map((name) => [name, all[name]]))
    assert.deepEqual(known(light, lightColors), lightColors)
    assert.deepEqual(known(dark, darkColors), darkColors)
    const darkNames = Object.keys(dark).filter((name) => name in lightColors)
    assert.deepEqual(darkNames.sort(), Object.keys(darkColors).sort())
  })

  it('reads colours as browsers do', () => {
    // As Chromium computes them.
    const colors = {
      '#0a5': '#00aa55',
      'rgb(11 79 108 / 50%)': '#0b4f6c',
      'hsl(33, 80%, 45%)': '#cf7c17',
      'hsl(-90deg 100% 25%)': '#400080',
      'oklch(70% 0.1 200)': '#40b1b7',
      'oklab(0.5 0.1 -0.1)': '#81459a',
      navy: '#000080',
      'color(display-p3 1 0 0)': '#ff0000',
    }
    for (const [text, hex] of Object.entries(colors)) {
      const color = parseColor(text)
      assert.equal(color && hexOf(color), hex, text)
    }
    for (const text of ['#12', 'rgb(1, 2)', 'rgb(a b c)', 'currentcolor', 'blueish']) {
      assert.equal(parseColor(text), undefined, text)
    }
    const [black, white] = [parseColor('black'), parseColor('white')]
    assert.ok(black && white)
    assert.equal(contrastOf(black, white), 21)
    assert.equal(hexOf(mix(black, 0.5, white)), '#636363')
  })

  it('is told for each pair and look, with a colour that would do', () => {
    const color = { primary: '#0b4f6c', onPrimary: '#ffffff' }
    const found = checkContrast({ color })
    assert.deepEqual(
      found.map(({ mode, front, back, least }) => [mode, front, back, least]),
      [
        ['dark', 'dark.color.primary', 'dark.color.surface', 4.5],
        ['dark', 'dark.color.primary', 'dark.color.background', 3],
      ],
    )
    const [, remedy = ''] =
      /: set dark\.color\.primary to (#\w{6}) or the like$/.exec(found[0]?.message ?? '') ?? []
    const mended = { color, dark: { color: { primary: remedy, onPrimary: '#000' } } }
    assert.deepEqual(checkContrast(mended), [])
  })

  it('leaves out what only a browser could tell, and says so', () => {
    const tokens = { color: { accent: 'currentcolor', text: 'var(--color-text)', danger: 'var(--none)' } }
    assert.deepEqual(checkContrast(tokens), [])
    const unreadable = unreadableColors(tokens)
    for (const name of ['color-accent', 'color-text', 'text-muted', 'color-danger']) {
      assert.ok(unreadable.includes(name), name)
    }
  })

  it('is enough in the panel itself, and in every theme that comes with it', () => {
    assert.deepEqual([checkContrast({}), unreadableColors({})], [[], []])
    const folders = ['themes', 'create-mortise/templates/project/themes'].map((path) => join(root, path))
    const files = folders.flatMap((path) => readdirSync(path).map((name) => join(path, name, 'theme.json')))
    assert.ok(files.length > 1)
    for (const file of files) {
      const { tokens } = JSON.parse(readFileSync(file, 'utf8'))
      assert.deepEqual([checkContrast(tokens), unreadableColors(tokens)], [[], []], file)
    }
  })
})
