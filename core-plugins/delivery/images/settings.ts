import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'
import { readPreset } from './address/presets.ts'

const mostPresets = 50

export const presets = defineSetting(
  'images.presets',
  Type.Array(Type.String({ maxLength: 120 }), {
    tier: 'runtime',
    default: [],
    maxItems: mostPresets,
    title: 'Presets of images',
    description:
      'Options that need no signature, each with a name: hero=w800-h450-cover. Images are cut around their focal points.',
  }),
  (values) => {
    const names = new Set<string>()
    for (const value of values) {
      const problem = presetProblem(value, names)
      if (problem !== undefined) {
        const remedy = 'write name=options, such as hero=w800-h450-cover or thumb=w200-h200-cover-q60'
        return { severity: 'fatal', message: `has ${JSON.stringify(value)}: ${problem}`, remedy }
      }
    }
    return undefined
  },
)

function presetProblem(value: string, names: Set<string>): string | undefined {
  try {
    const { name } = readPreset(value)
    if (names.has(name)) return `${name} is there twice`
    names.add(name)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export const maxBytes = defineSetting(
  'images.maxBytes',
  Type.Integer({
    tier: 'runtime',
    default: 5 * 1024 ** 3,
    minimum: 1024 ** 2,
    title: 'Room for sizes of images',
    description:
      'Bytes that made sizes may take in the storage; above it those go that nobody has asked for the longest.',
  }),
)

export const concurrency = defineSetting(
  'images.concurrency',
  Type.Integer({
    tier: 'infrastructure',
    default: 2,
    minimum: 1,
    maximum: 64,
    title: 'Images made at once',
    description: 'By one process, on worker threads that uploads do not wait for.',
  }),
)

export const maxWaiting = defineSetting(
  'images.maxWaiting',
  Type.Integer({
    tier: 'infrastructure',
    default: 60,
    minimum: 0,
    maximum: 10_000,
    title: 'Waiting images',
    description: 'How many images of one process may wait to be made; further ones are refused with 503.',
  }),
)

export const imageSettings = [presets, maxBytes, concurrency, maxWaiting]
