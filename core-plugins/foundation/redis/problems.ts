/** Why Redis cannot be used, or only with drawbacks. Never contains a secret. */
export interface RedisProblem {
  readonly what: string
  /** What an operator does about it. */
  readonly remedy: string
}

interface Cause {
  readonly pattern: RegExp
  readonly what: string
  remedy(keyPrefix: string): string
}

const rights = 'give the account the rights that docs/redis.md lists'
const elsewhere = 'name a Redis that is no cluster of several nodes in REDIS_URL'
const patience = 'wait; it is asked again'

const missingCommand = /^NOPERM|^ERR The user executing the script|ACL failure in script/

/** By how the reply begins, or what it contains; the first match counts. */
const causes: readonly Cause[] = [
  {
    pattern: /^(WRONGPASS|NOAUTH)|^ERR (Client sent AUTH|invalid password|AUTH )/,
    what: 'it does not accept the user and the password',
    remedy: () => 'correct them in REDIS_URL: redis://user:password@host:6379',
  },
  {
    pattern: /access (one of the|a) channels?\b/,
    what: 'the account may not use the channel of the service',
    remedy: (keyPrefix) =>
      `${rights}: &${keyPrefix}*, or set SVC_REDIS_KEY_PREFIX to the prefix that it may use`,
  },
  {
    pattern: /access (one of the|at least one of the|a) keys?\b/,
    what: 'the account may not use the keys of the service',
    remedy: (keyPrefix) =>
      `${rights}: ~${keyPrefix}*, or set SVC_REDIS_KEY_PREFIX to the prefix that it may use`,
  },
  {
    pattern: missingCommand,
    what: 'the account may not run a command that the service needs',
    remedy: () => rights,
  },
  {
    pattern: /^CROSSSLOT/,
    what: 'it is a cluster, and the keys of the service are not in one slot of it',
    remedy: (keyPrefix) =>
      `set SVC_REDIS_KEY_PREFIX={${keyPrefix.replace(/[:{}]/g, '') || 'mortise'}}: in all processes`,
  },
  {
    pattern: /^(MOVED|ASK)\b/,
    what: 'it is one node of a cluster, and the keys of the service are on another one',
    remedy: () => elsewhere,
  },
  {
    pattern: /^(READONLY|UNBLOCKED)/,
    what: 'it takes no changes: it is a replica',
    remedy: () => 'name the primary in REDIS_URL, by an address that follows it',
  },
  {
    pattern: /^MISCONF/,
    what: 'it takes no changes, since it cannot save them to its disk',
    remedy: () => 'make room on its disk, or let it save nothing: the service keeps nothing in it',
  },
  {
    pattern: /^OOM/,
    what: 'it takes no changes, since its memory is full',
    remedy: () => 'raise its maxmemory, or give the service a Redis of its own',
  },
  {
    pattern: /^NOREPLICAS/,
    what: 'it takes no changes, since too few replicas follow it',
    remedy: () => 'start its replicas, or lower its min-replicas-to-write',
  },
  {
    pattern: /^(CLUSTERDOWN|TRYAGAIN)/,
    what: 'its cluster is not up',
    remedy: () => 'wait; if that does not end, see to its nodes',
  },
  { pattern: /^BUSY\b/, what: 'it is busy with a script', remedy: () => patience },
  { pattern: /^MASTERDOWN/, what: 'it has lost its primary', remedy: () => patience },
  {
    pattern: /unknown (sub)?command/i,
    what: 'it does not know a command that the service needs',
    remedy: () => 'use Redis 6.2 or newer, or Valkey',
  },
  {
    pattern: /DB index|SELECT is not allowed/,
    what: 'it does not have the database that REDIS_URL names',
    remedy: () => 'end REDIS_URL with /0',
  },
]

const causeOf = (reply: string) => causes.find(({ pattern }) => pattern.test(reply))

/** Redis quotes an unknown command with its arguments: for AUTH, that is the password. */
export function withoutArguments(reply: string): string {
  return reply.replace(/, with args beginning with:.*/, '')
}

/** Explains an error of Redis to an operator. */
export function problemOf(quoting: string, keyPrefix: string): RedisProblem {
  const reply = withoutArguments(quoting)
  const cause = causeOf(reply)
  if (cause === undefined)
    return { what: `it refuses what the service needs: ${reply}`, remedy: 'see docs/redis.md' }
  return { what: `${cause.what} (${reply})`, remedy: cause.remedy(keyPrefix) }
}

/** One problem for all commands that an account may not run. */
export function missingRights(commands: readonly string[]): RedisProblem {
  const names = [...new Set(commands)]
  return {
    what: `the account may not run ${names.join(', ')}`,
    remedy: `${rights}: ${names.map((name) => `+${name.toLowerCase()}`).join(' ')}`,
  }
}

/** Whether a reply says that the account lacks the right to run a command at all. */
export function isMissingCommand(reply: string): boolean {
  return causeOf(reply)?.pattern === missingCommand
}

export const sentinelProblem: RedisProblem = {
  what: 'it is a Sentinel, which only knows where a Redis is',
  remedy:
    'name the Redis itself in REDIS_URL, by an address that follows the primary (a proxy, or a name that is updated)',
}

/** The service continues, but may lose recent counts or announcements. */
export function evictionProblem(policy: string): RedisProblem {
  return {
    what: `it may drop keys of the service when its memory is full (maxmemory-policy ${policy})`,
    remedy: 'set maxmemory-policy noeviction, or give the service a Redis of its own',
  }
}

export function versionProblem(version: string): RedisProblem {
  return {
    what: `it is Redis ${version}, which is not tried any more`,
    remedy: 'use Redis 6.2 or newer, or Valkey',
  }
}
