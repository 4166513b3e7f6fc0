import type { Config } from '../../../foundation/config/config.ts'
import type { ErrorDetail } from '../../../foundation/http/http.ts'
import { passwordMaxLength, passwordMinLength, passwordRejectCommon } from '../settings.ts'

/** Returns the problems of a new password; empty if there are none. */
export type CheckPassword = (candidate: PasswordCandidate) => Promise<ErrorDetail[]>

export interface PasswordCandidate {
  readonly password: string
  /** Names of the account, which must not be its password: e-mail and username. */
  readonly identifiers: readonly string[]
  /** The payload field that problems are reported for. */
  readonly path: string
}

/** The rules of `security.password.*`; see docs/auth.md. */
export function createPasswordRules(config: Config): CheckPassword {
  return async ({ password, identifiers, path }) => {
    const min = config.get(passwordMinLength)
    const max = config.get(passwordMaxLength)
    // A character has at most two UTF-16 units: anything longer than that is too long however it is counted.
    const length = [...password.slice(0, 2 * max + 1)].length
    const folded = password.toLowerCase()
    const problems: ErrorDetail[] = []
    const report = (code: string, message: string) => problems.push({ path, code, message })

    if (length < min) report('minLength', `must have at least ${min} characters`)
    if (length > max) report('maxLength', `must have at most ${max} characters`)
    if (identifiers.some((identifier) => identifier.toLowerCase() === folded)) {
      report('identifier', 'must not be the e-mail address or the username')
    }
    if (config.get(passwordRejectCommon) && (await isCommon(folded))) {
      report('common', 'is among the most common passwords')
    }
    return problems
  }
}

const commonCount = 1000
let commonPasswords: Promise<ReadonlySet<string>> | undefined

async function isCommon(password: string): Promise<boolean> {
  commonPasswords ??= loadCommonPasswords()
  return (await commonPasswords).has(password)
}

// The list is half a megabyte, so it is loaded when the first password is set rather than at boot.
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].slice(0, commonCount))
}
