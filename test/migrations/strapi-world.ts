import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { compareCounts, compareEntries, Here, type Truth } from '../../examples/strapi-import/compare.ts'
import type { Client } from '../support/client.ts'

/** What a real Strapi has exported; `examples/strapi-import` has made it. */
export const exportFile = join(import.meta.dirname, 'strapi-5.tar.gz')

/** What that Strapi said of its entries itself. */
export const truth: Truth = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, 'strapi-5.truth.json.gz'))).toString(),
)

/** Localisations of entries in the export, by type here. */
export const expectedCounts: Readonly<Record<string, number>> = countsIn(truth)

function countsIn({ entries }: Truth): Record<string, number> {
  const seen = new Map<string, Set<string>>()
  for (const { type, locale, entry } of entries) {
    const name = type.split('.').at(-1) ?? type
    seen.set(name, (seen.get(name) ?? new Set()).add(`${entry.documentId} ${locale}`))
  }
  return Object.fromEntries([...seen].map(([name, keys]) => [name, keys.size]))
}

export const importArguments = ['import', 'strapi', exportFile, '--json']

/** Compares all that Strapi had with what the service answers. */
export async function assertAllThere(admin: Client): Promise<void> {
  const here = new Here(async (path) => {
    const { status, body } = await admin.get(path)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
    return body
  })
  assert.deepEqual(await compareEntries(truth, truth.entries, here), [])
  for (const [subject, { strapi, mortise }] of Object.entries(await compareCounts(truth, here)))
    assert.equal(mortise, strapi, subject)
  const media = await here.names('media')
  assert.deepEqual([...media.values()].sort(), truth.files.map(({ name }) => name).sort())
}
