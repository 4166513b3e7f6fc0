import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'

/**
 * - `disable`: not encrypted
 * - `prefer`: encrypted if the server supports it
 * - `require`: encrypted, without checking the server's identity
 * - `verify-ca`: also requires a certificate from a trusted authority
 * - `verify-full`: also requires the certificate to name the host in the URL
 */
export type TlsMode = (typeof modes)[number]

const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

/** The names that MySQL clients use, and those that drivers accept for `ssl`. */
const otherNames: Readonly<Record<string, TlsMode>> = {
  disabled: 'disable',
  preferred: 'prefer',
  required: 'require',
  verify_ca: 'verify-ca',
  verify_identity: 'verify-full',
  false: 'disable',
  true: 'verify-full',
}

const modeParameters = ['sslmode', 'ssl-mode', 'ssl']
const fileParameters = {
  ca: ['sslrootcert', 'ssl-ca'],
  cert: ['sslcert', 'ssl-cert'],
  key: ['sslkey', 'ssl-key'],
} as const

/** How connections to a server are encrypted. */
export interface Tls {
  readonly mode: TlsMode
  /** For `tls.connect`; files are read again each time, since certificates are renewed. */
  readonly options: ConnectionOptions
}

/**
 * Separates the encryption settings from the address of a database: `sslmode` as in libpq or `ssl-mode` as in MySQL,
 * and the paths of certificates (`sslrootcert`, `sslcert`, `sslkey`; `ssl-ca`, `ssl-cert`, `ssl-key`). Each driver
 * knows only some of them.
 * @throws Error if a file cannot be read
 */
export function takeTls(address: string): { readonly url: string; readonly tls: Tls | undefined } {
  const url = new URL(address)
  const { searchParams } = url
  const mode = modeOf(searchParams)
  if (mode === undefined) return { url: address, tls: undefined }
  const files = Object.entries(fileParameters).flatMap(([option, names]) => {
    const path = names.map((name) => searchParams.get(name)).find((value) => value !== null)
    return path === undefined || path === null ? [] : [[option, readFileSync(path, 'utf8')] as const]
  })
  for (const name of [...modeParameters, ...Object.values(fileParameters).flat()]) searchParams.delete(name)
  const options = { ...verification(mode, address), ...Object.fromEntries(files) }
  return { url: url.href, tls: { mode, options } }
}

/** What is wrong with the encryption settings of an address. */
export function tlsProblem(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { searchParams } = new URL(address)
  const wrong = modeParameters.find((name) => {
    const value = searchParams.get(name)
    return value !== null && !value.startsWith('{') && modeNamed(value) === undefined
  })
  return wrong && `has an unknown ${wrong}: it is one of ${modes.join(', ')}`
}

/** Undefined if the address does not say, or uses the driver's own setting. */
function modeOf(parameters: URLSearchParams): TlsMode | undefined {
  for (const name of modeParameters) {
    const mode = modeNamed(parameters.get(name) ?? '')
    // If a certificate authority is given, libpq checks the certificate.
    if (mode === 'require' && parameters.has('sslrootcert')) return 'verify-ca'
    if (mode !== undefined) return mode
  }
  return undefined
}

function modeNamed(text: string): TlsMode | undefined {
  const name = text.toLowerCase()
  return modes.find((mode) => mode === name) ?? otherNames[name]
}

/** The IP address, if the URL has one instead of a host name. */
export function ipOf(address: string): string | undefined {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? undefined : host
}

function verification(mode: TlsMode, address: string): ConnectionOptions {
  const ip = ipOf(address)
  // A driver passes on only names.
  if (mode === 'verify-full') return ip === undefined ? {} : { host: ip }
  if (mode === 'verify-ca') return { checkServerIdentity: () => undefined }
  return { rejectUnauthorized: false }
}
