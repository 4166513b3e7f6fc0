import { parseArgs } from 'node:util'
import { createClient } from 'mortise-client'
import type { ContentTypes } from '../countries/content-types.ts'
import { followChanges } from '../follow-changes.ts'
import { SearchIndex, searchedTypes } from './search-index.ts'

/** `tsx examples/search-index/index-content.ts`: keeps an index in step with the content; `--search` asks it. */

const { values: flags } = parseArgs({
  options: {
    url: { type: 'string', default: process.env.MORTISE_URL ?? 'http://localhost:2102' },
    file: { type: 'string', default: 'search-index.json' },
    follow: { type: 'boolean', default: false },
    search: { type: 'string' },
  },
})

const token = process.env.MORTISE_TOKEN
const cms = createClient<ContentTypes>({ url: flags.url, ...(token && { token }) })
const index = await SearchIndex.open(flags.file)
if (flags.search === undefined) {
  await followChanges({ cms, types: searchedTypes, forever: flags.follow }, index)
} else {
  for (const { key, title } of index.search(flags.search)) console.log(`${key}: ${title}`)
}
