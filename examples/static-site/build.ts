import { parseArgs } from 'node:util'
import { createClient } from 'mortise-client'
import type { ContentTypes } from '../countries/content-types.ts'
import { followChanges } from '../follow-changes.ts'
import { Site, shownTypes } from './site.ts'

/** `tsx examples/static-site/build.ts`: brings the site up to date; with `--follow` it stays so until it is stopped. */

const { values: flags } = parseArgs({
  options: {
    url: { type: 'string', default: process.env.MORTISE_URL ?? 'http://localhost:2102' },
    out: { type: 'string', default: 'site' },
    follow: { type: 'boolean', default: false },
  },
})

const token = process.env.MORTISE_TOKEN
const cms = createClient<ContentTypes>({ url: flags.url, ...(token && { token }) })
const site = await Site.open(flags.out, (paths) => {
  if (paths.length > 0) console.log(`built ${paths.join(', ')}`)
})
await followChanges({ cms, types: shownTypes, forever: flags.follow }, site)
