import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { createClient, MortiseError } from 'mortise-client'
import { loadDotEnv } from '../../core-plugins/foundation/config/config.ts'
import type { ContentTypes } from './content-types.ts'
import { importCountries, recordCount } from './import-countries.ts'
import { patientFetch } from './patient-fetch.ts'

/**
 * `npm run example:countries`: imports the countries of the world into a running service, through the REST
 * API as any client would. Run it as often as you like: what exists already stays as it is.
 */

const usage = `Usage: npm run example:countries -- [options]

  --url <address>       of the service; MORTISE_URL, or http://localhost:2102
  --token <token>       an API token with content:read and content:write; MORTISE_TOKEN
  --email <address>     or an admin user's e-mail address; MORTISE_EMAIL, or admin@example.com
  --password <password> and password; MORTISE_PASSWORD, or it is asked for`

const { values: flags } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    email: { type: 'string' },
    password: { type: 'string' },
    help: { type: 'boolean' },
  },
})

const env = await loadDotEnv({ workingDirectory: process.cwd(), env: process.env })

const service = {
  url: flags.url || env.MORTISE_URL || `http://${env.HOST || 'localhost'}:${env.PORT || 2102}`,
  apiPrefix: env.SVC_API_PREFIX || '/api',
  fetch: patientFetch,
}

async function findToken(): Promise<string> {
  const token = flags.token || env.MORTISE_TOKEN
  if (token) return token
  const email = flags.email || env.MORTISE_EMAIL || env.DEFAULT_ADMIN_EMAIL || 'admin@example.com'
  const password = flags.password || env.MORTISE_PASSWORD || env.DEFAULT_ADMIN_PASSWORD
  const { admins } = createClient<ContentTypes>(service)
  return (await admins.login(email, password || (await askPassword(email)))).token
}

async function askPassword(email: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Error(`the password of ${email} is needed\n\n${usage}`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(`Password of ${email} (the first start printed it): `)
  } finally {
    terminal.close()
  }
}

async function run() {
  const client = createClient<ContentTypes>({ ...service, token: await findToken() })
  const bar = new SingleBar({ format: 'Importing [{bar}] {value}/{total} {step}', hideCursor: true })
  const startedAt = performance.now()
  bar.start(recordCount, 0, { step: '' })
  try {
    const summary = await importCountries(client, (step) => bar.increment(1, { step }))
    bar.stop()
    console.table(Object.fromEntries(summary))
    console.log(`Done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  } finally {
    bar.stop()
  }
}

/** `fetch failed` alone does not say that nothing listens there. */
function describeFailure(error: unknown): string {
  if (error instanceof MortiseError) return `the service answered ${error.status}: ${error.message}`
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

if (flags.help) console.log(usage)
else {
  await run().catch((error) => {
    console.error(`\nThe import failed: ${describeFailure(error)}`)
    process.exitCode = 1
  })
}
