import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type AddressedFile,
  createImageAddresses,
  focusOf,
} from '../../core-plugins/delivery/images/address/image-addresses.ts'
import { spell } from '../../core-plugins/delivery/images/address/image-options.ts'
import { parseVariant } from '../../core-plugins/delivery/images/address/parse-variant.ts'
import { createPresets, readPreset } from '../../core-plugins/delivery/images/address/presets.ts'
import { planSize } from '../../core-plugins/delivery/images/variants/geometry.ts'

const presets = createPresets(['hero=w800-h450-cover-q80', 'soft=w16-blur5'])
const addresses = createImageAddresses(Buffer.alloc(32, 1), () => presets)
const centred: AddressedFile = { filename: `${'a'.repeat(32)}.jpg`, focalX: null, focalY: null }

function optionsOf(text: string) {
  const parsed = parseVariant(text)
  assert.equal(parsed.kind, 'options', text)
  return parsed.kind === 'options' ? parsed.options : assert.fail()
}

/** The codes of what is wrong, by the names of the options. */
function problemsOf(text: string): Record<string, string> {
  try {
    parseVariant(text)
  } catch (error) {
    const { details } = error as { details: { path: string; code: string }[] }
    return Object.fromEntries(details.map(({ path, code }) => [path, code]))
  }
  return {}
}

describe('addresses of images', () => {
  it('have one spelling, into which others are brought', () => {
    for (const [written, canonical] of [
      ['w640.webp', 'w640.webp'],
      ['h450-w800-cover.avif', 'w800-h450-cover.avif'],
      ['w800-h450-inside.webp', 'w800-h450.webp'],
      ['w800-cover.webp', 'w800.webp'],
      ['w800-h450-cover-fp50x50.webp', 'w800-h450-cover.webp'],
      ['w800-h450-fp10x20.webp', 'w800-h450.webp'],
      ['q75-w8.png', 'w8.png'],
      ['w8-q80.jpeg', 'w8.jpg'],
      ['w8-q50.avif', 'w8.avif'],
      ['w8-q80.avif', 'w8-q80.avif'],
      ['blur5-q7-fp0x100-cover-h4096-w1.webp', 'w1-h4096-cover-fp0x100-q7-blur5.webp'],
    ] as const) {
      assert.equal(spell(optionsOf(written)), canonical, written)
      assert.equal(spell(optionsOf(canonical)), canonical)
    }
  })

  it('are refused with all problems at once', () => {
    for (const [written, problems] of [
      ['', { format: 'format', options: 'unknown' }],
      ['webp', { format: 'format', options: 'unknown' }],
      ['.webp', { options: 'unknown' }],
      ['w640', { format: 'format', options: 'unknown' }],
      ['w640.gif', { format: 'format' }],
      ['w640.WEBP', { format: 'format' }],
      ['w0.webp', { options: 'unknown' }],
      ['w0640.webp', { options: 'unknown' }],
      ['w+640.webp', { options: 'unknown' }],
      ['w6e2.webp', { options: 'unknown' }],
      ['w1.5.webp', { options: 'unknown' }],
      ['w-640.webp', { options: 'unknown' }],
      ['w６４０.webp', { options: 'unknown' }],
      ['w4097-h4097.webp', { width: 'range', height: 'range' }],
      ['w9999999999-q96-blur101.webp', { width: 'range', quality: 'range', blur: 'range' }],
      [`w${'9'.repeat(40)}.webp`, { options: 'unknown' }],
      ['w640-w641.webp', { width: 'twice' }],
      ['w640-cover-fill.webp', { fit: 'twice' }],
      ['w640-h1-cover-fp101x0.webp', { focus: 'range' }],
      ['w640-auto.webp', { options: 'unknown' }],
      ['w640-s123.webp', { options: 'unknown' }],
      ['w640-__proto__.webp', { options: 'unknown' }],
      ['cover.webp', { width: 'required' }],
      [`${'w640-'.repeat(40)}.webp`, { options: 'unknown' }],
    ] as const) {
      assert.deepEqual(problemsOf(written), problems, written)
    }
  })

  it('are free on the ladder and as presets are, and signed otherwise', () => {
    const name = (request: Parameters<typeof addresses.optionsOf>[1], file = centred) =>
      addresses.nameOf(file.filename, addresses.optionsOf(file, request))
    assert.equal(name({ width: 640 }), 'w640.webp')
    assert.equal(name({ width: 3840, format: 'avif' }), 'w3840.avif')
    assert.equal(name({ preset: 'hero' }), 'w800-h450-cover.webp')
    assert.equal(name({ preset: 'hero', format: 'avif' }), 'w800-h450-cover-q80.avif')
    assert.equal(name({ width: 800, height: 450, fit: 'cover' }), 'w800-h450-cover.webp')
    const focused = { ...centred, focalX: '0.255', focalY: 1 }
    assert.deepEqual(focusOf(focused), { x: 26, y: 100 })
    assert.equal(name({ preset: 'hero' }, focused), 'w800-h450-cover-fp26x100.webp')
    const signed = /-s[\w-]{16}\.\w+$/
    for (const request of [
      { width: 641 },
      { width: 640, format: 'png' },
      { width: 640, quality: 79 },
      { width: 640, blur: 1 },
      { height: 640 },
      { width: 800, height: 450, fit: 'fill' },
      { width: 800, height: 450, fit: 'cover', quality: 81 },
    ] as const) {
      assert.match(name(request), signed, JSON.stringify(request))
    }
  })

  it('take the signature of their own file and options only', () => {
    const options = optionsOf('w641.webp')
    const signature = /-s(.{16})\./.exec(addresses.nameOf(centred.filename, options))?.[1] ?? ''
    assert.equal(addresses.permitOf(centred.filename, options, signature), 'signature')
    const other = `${'b'.repeat(32)}.jpg`
    assert.throws(() => addresses.permitOf(other, options, signature), /signature/)
    assert.throws(() => addresses.permitOf(centred.filename, optionsOf('w642.webp'), signature), /signature/)
    assert.throws(() => addresses.permitOf(centred.filename, optionsOf('w641.avif'), signature), /signature/)
    const others = createImageAddresses(Buffer.alloc(32, 2), () => presets)
    assert.throws(() => others.permitOf(centred.filename, options, signature), /signature/)
    assert.equal(addresses.permitOf(centred.filename, options, undefined), undefined)
    const moved = optionsOf('w800-h450-cover-fp1x2.webp')
    assert.equal(addresses.permitOf(centred.filename, moved, undefined), 'preset')
  })

  it('of presets are checked', () => {
    assert.throws(() => readPreset('w640'), /name=options/)
    assert.throws(() => readPreset('Hero=w640'), /name=options/)
    assert.throws(() => readPreset('hero=w5000'), /4096/)
    assert.throws(() => readPreset('hero=w8-h8-cover-fp1x1'), /focal point/)
    assert.throws(() => readPreset('hero=p-hero'), /options/)
    assert.throws(() => readPreset(`hero=w640-s${'a'.repeat(16)}`), /options/)
    assert.throws(() => addresses.presetOf('none', 'webp', undefined), /images.presets/)
    assert.throws(() => addresses.optionsOf(centred, { preset: 'hero', width: 8 }), /leave the others out/)
  })
})

describe('sizes of images', () => {
  const source = { width: 400, height: 200 }
  const plan = (text: string, size = source) => {
    const { scaled, cut, result } = planSize(size, optionsOf(text))
    return [scaled.width, scaled.height, cut.left, cut.top, result.width, result.height]
  }

  it('follow from what is asked for, and never grow', () => {
    for (const [text, planned] of [
      ['w100.webp', [100, 50, 0, 0, 100, 50]],
      ['h100.webp', [200, 100, 0, 0, 200, 100]],
      ['w800.webp', [400, 200, 0, 0, 400, 200]],
      ['w100-h100.webp', [100, 50, 0, 0, 100, 50]],
      ['w100-h100-contain.webp', [100, 50, 0, 0, 100, 100]],
      ['w800-h800-contain.webp', [400, 200, 0, 0, 400, 400]],
      ['w100-h100-fill.webp', [100, 100, 0, 0, 100, 100]],
      ['w800-h800-fill.webp', [200, 200, 0, 0, 200, 200]],
      ['w100-h100-cover.webp', [200, 100, 50, 0, 100, 100]],
      ['w100-h100-cover-fp0x0.webp', [200, 100, 0, 0, 100, 100]],
      ['w100-h100-cover-fp30x0.webp', [200, 100, 10, 0, 100, 100]],
      ['w100-h100-cover-fp100x100.webp', [200, 100, 100, 0, 100, 100]],
      ['w800-h800-cover.webp', [400, 200, 100, 0, 200, 200]],
    ] as const) {
      assert.deepEqual(plan(text), planned, text)
    }
  })

  it('keep every pixel of a cut inside of the image, whatever its shape', () => {
    for (const size of [
      { width: 1, height: 1 },
      { width: 1, height: 9_999 },
      { width: 20_000, height: 3 },
      { width: 333, height: 777 },
    ]) {
      for (const text of ['w4096-h1', 'w1-h4096', 'w7-h13', 'w333-h776', 'w4096-h4096']) {
        for (const fit of ['inside', 'contain', 'cover-fp99x1', 'fill']) {
          const [width = 0, height = 0, left = 0, top = 0, w = 0, h = 0] = plan(`${text}-${fit}.webp`, size)
          const what = `${JSON.stringify(size)} as ${text}-${fit}`
          assert.ok(width >= 1 && height >= 1 && w >= 1 && h >= 1, what)
          assert.ok(width <= size.width && height <= size.height, what)
          const isCut = fit.startsWith('cover')
          assert.ok(!isCut || (left >= 0 && top >= 0 && left + w <= width && top + h <= height), what)
          assert.ok(fit !== 'contain' || (width <= w && height <= h), what)
        }
      }
    }
  })
})
