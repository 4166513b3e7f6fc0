import type { DatabaseError } from '../database-error.ts'

const certificateErrors: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  // The code that mysql2 reports for all TLS errors.
  'HANDSHAKE_SSL_ERROR',
])

const useTls = 'add ?sslmode=require to the address'
const grant = 'let the account create, alter and drop tables'
const grantInSchema = `${grant}: grant create on schema public to it, or make it the owner of the database`
const nameUser = 'correct user and password'
const makeDatabase = 'create the database, or correct its name'

/** By error codes of PostgreSQL, MySQL and MariaDB. */
const remedies: Readonly<Record<string, string>> = {
  '28P01': nameUser,
  '3D000': makeDatabase,
  '42501': grantInSchema,
  1044: grant,
  // The server also reports this if an account that requires TLS connects without it.
  1045: `${nameUser}; if the account must use TLS, ${useTls}`,
  1049: makeDatabase,
  1142: grant,
  1227: grant,
  3159: useTls,
}

/** What an operator can do about a database that cannot be opened, or whose tables cannot be made. */
export function openingRemedy({ kind, remedy, message, cause }: DatabaseError): string {
  const { code, errno } = (cause ?? {}) as { readonly code?: string; readonly errno?: number }
  if (remedy !== undefined) return remedy
  if (kind === 'read_only')
    return 'name the server that takes changes: this one is a standby, or set to read only'
  if (certificateErrors.has(code)) {
    return 'name its authority (sslrootcert=/path/to/ca.pem), or encrypt without asking who the server is (sslmode=require)'
  }
  if (/no encryption/.test(message)) return useTls
  const known = remedies[String(code)] ?? remedies[String(errno)]
  return known ?? 'start the database server, or correct the address, user and password'
}
