import type { StorageFault } from '../../delivery/media/media.ts'
import { StoreSilence } from './silence.ts'

/** The names of a store's settings for messages to operators. */
export interface SettingNames {
  readonly bucket: string
  readonly endpoint: string
  readonly region: string
  readonly credentials: string
  readonly timeout: string
}

/** Explains why a store fails. */
export interface Explanation {
  readonly fault: StorageFault
  /** The problem, without secrets. */
  readonly problem: string
  /** The setting to check, or another remedy. */
  readonly remedy: string
  /** Problem and remedy in one text. */
  readonly text: string
}

/**
 * The response lacks the ETag that every S3 store sends: the server may be an ordinary web server that answers everything with
 * 200.
 */
export class ForeignAnswer extends Error {
  constructor(request: 'an upload' | 'a read') {
    super(`the store answers 200 to ${request} and does not confirm it`)
    this.name = 'ForeignAnswer'
  }
}

/** Error codes of S3 and compatible stores. */
const faultsByCode: ReadonlyMap<string, StorageFault> = new Map(
  Object.entries({
    credentials: [
      'InvalidAccessKeyId',
      'SignatureDoesNotMatch',
      'InvalidToken',
      'ExpiredToken',
      'TokenRefreshRequired',
      'CredentialsProviderError',
      'NotSignedUp',
      'InvalidSecurity',
    ],
    denied: ['AccessDenied', 'AllAccessDisabled', 'AccountProblem', 'UnauthorizedAccess'],
    clock: ['RequestTimeTooSkewed', 'RequestExpired'],
    missing: ['NoSuchBucket', 'InvalidBucketName'],
    settings: [
      'PermanentRedirect',
      'TemporaryRedirect',
      'AuthorizationHeaderMalformed',
      'IllegalLocationConstraintException',
      'InvalidRegion',
    ],
    full: [
      'QuotaExceeded',
      'InsufficientStorage',
      'InsufficientCapacity',
      'XMinioStorageFull',
      'XMinioAdminBucketQuotaExceeded',
      'StorageFull',
      'StorageQuotaExceeded',
      'TotalStorageCapExceeded',
    ],
  } satisfies Partial<Record<StorageFault, readonly string[]>>).flatMap(([fault, codes]) =>
    codes.map((code) => [code, fault as StorageFault] as const),
  ),
)

/** The fault for a status, since a response to HEAD has no body. A 200 whose body is not XML is also a fault. */
function faultOfStatus(status: number): StorageFault {
  if (status === 507) return 'full'
  if (status < 300) return 'foreign'
  if (status === 401) return 'credentials'
  if (status === 403) return 'denied'
  if (status === 404) return 'missing'
  if (status === 301 || status === 307 || status === 400) return 'settings'
  return 'failing'
}

/** Explains an error of the SDK and names the settings to look at. */
export function explain(error: unknown, names: SettingNames): Explanation {
  const fault = faultOf(error)
  const status = statusOf(error)
  const said = saidBy(error)
  const code = error instanceof Error && faultsByCode.has(error.name) ? `${error.name}: ` : ''
  const problem = status === undefined ? said : `the store answered ${status} (${code}${said})`
  const remedy = remedyFor(fault, names)
  return { fault, problem, remedy, text: `${problem}; ${remedy}` }
}

/** The maximum length of a store's message in the log and in alerts. */
const longestSaid = 500

function saidBy(error: unknown): string {
  const said = error instanceof Error ? error.message || error.name : String(error)
  // The SDK's message for a response without a body.
  return said === 'UnknownError' ? 'without a reason' : said.slice(0, longestSaid)
}

function faultOf(error: unknown): StorageFault {
  if (error instanceof StoreSilence) return 'silent'
  if (error instanceof ForeignAnswer) return 'foreign'
  const byCode = error instanceof Error ? faultsByCode.get(error.name) : undefined
  if (byCode !== undefined) return byCode
  const status = statusOf(error)
  return status === undefined ? 'unreachable' : faultOfStatus(status)
}

function remedyFor(fault: StorageFault, names: SettingNames): string {
  const { bucket, endpoint, region, credentials, timeout } = names
  const remedies: Readonly<Record<StorageFault, string>> = {
    silent: `see whether the store is up; look at ${endpoint}, or give it longer with ${timeout}`,
    unreachable: `see whether the store is up; look at ${endpoint}`,
    credentials: `look at ${credentials}`,
    denied: `let the key of ${credentials} list the bucket of ${bucket}, and get, put and delete its objects`,
    clock: 'set the clock of this machine, and keep it right with NTP',
    missing: `look at ${bucket}, or make the bucket`,
    settings: `look at ${region} and ${endpoint}`,
    full: 'make room in the bucket, or raise its quota',
    failing: `look at the log of the store at ${endpoint}`,
    foreign: `what answers is no store that speaks S3: look at ${endpoint}`,
  }
  return remedies[fault]
}

/** The status of the response; undefined if there was none. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}
