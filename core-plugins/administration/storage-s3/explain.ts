import type { StorageFault } from '../../delivery/media/media.ts'
import { StoreSilence } from './silence.ts'

/** Settings of a store, as an operator sets them. */
export interface SettingNames {
  readonly bucket: string
  readonly endpoint: string
  readonly region: string
  readonly credentials: string
  readonly timeout: string
}

/** Why a store fails. */
export interface Explanation {
  readonly fault: StorageFault
  /** What is wrong; without secrets. */
  readonly problem: string
  /** Which setting to look at, or what to do otherwise. */
  readonly remedy: string
  /** Both in one. */
  readonly text: string
}

/** What answers does not say of which object, as each S3 does with its ETag: a web server may answer 200 to everything. */
export class ForeignAnswer extends Error {
  constructor(request: 'an upload' | 'a read') {
    super(`the store answers 200 to ${request} and does not confirm it`)
    this.name = 'ForeignAnswer'
  }
}

/** Codes of S3, and of stores that speak it. */
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

/** An answer to a HEAD has no body, so that nothing but its status is known. 200 with a body that is no XML fails, too. */
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

/** The most characters of a store's message in the log and in alerts. */
const longestSaid = 500

function saidBy(error: unknown): string {
  const said = error instanceof Error ? error.message || error.name : String(error)
  // The SDK's words for an answer without a body.
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

/** That of the answer; undefined if there was none. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}
