import { type ErrorDetail, MortiseError } from '../../../../../../client/client.ts'
import { language, type TextKey, t } from './translate.ts'

/** Texts for validation problems, by problem code. */
const rules: Readonly<Record<string, TextKey>> = {
  required: 'problem.required',
  unique: 'problem.unique',
  allowedTypes: 'problem.allowedTypes',
}

/** Texts with a number, which is taken from the service's message. */
const limits: Readonly<Record<string, TextKey>> = {
  min: 'problem.min',
  max: 'problem.max',
  minLength: 'problem.minLength',
  maxLength: 'problem.maxLength',
}

const limitsOfLists: Readonly<Record<string, TextKey>> = { min: 'problem.minItems', max: 'problem.maxItems' }

/** Codes for which the service's English message is more precise: the panel's text is used for other languages only. */
const generalRules: Readonly<Record<string, TextKey>> = {
  enum: 'problem.enum',
  format: 'problem.format',
  pattern: 'problem.format',
  reference: 'problem.reference',
  type: 'problem.format',
  NOT_PUBLISHABLE: 'problem.notPublishable',
}

const refusals: Readonly<Record<string, TextKey>> = {
  FORBIDDEN: 'problem.forbidden',
  INTERNAL_ERROR: 'problem.internal',
  INVALID_TRANSITION: 'problem.invalidTransition',
  NOT_FOUND: 'problem.notFound',
  NOT_PUBLISHABLE: 'problem.notPublishable',
  PRECONDITION_FAILED: 'problem.outdated',
  RATE_LIMITED: 'problem.rateLimited',
  STORAGE_FULL: 'problem.storageFull',
  UNAVAILABLE: 'problem.unavailable',
  VALIDATION_ERROR: 'problem.invalid',
}

/** The message for a problem in the panel's language; the service's message if the panel has no text for it. */
export function problemText({ code, message }: Pick<ErrorDetail, 'code' | 'message'>): string {
  const rule = rules[code] ?? (language() === 'en' ? undefined : generalRules[code])
  if (rule !== undefined) return t(rule)
  const key = message.endsWith(' items') ? limitsOfLists[code] : limits[code]
  const limit = /at (?:least|most) (-?\d+(?:\.\d+)?)/.exec(message)?.[1]
  return key === undefined || limit === undefined ? message : t(key, { limit })
}

/** The English messages of Chromium, Firefox and WebKit for a request without a response. */
const unanswered = /failed to fetch|network ?error|load failed|network connection was lost/i

/** The reason why a request failed, in the panel's language if it has a text for it. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof TypeError && unanswered.test(error.message)) return t('problem.unreachable')
  if (!(error instanceof MortiseError) || language() === 'en') return error.message
  const [detail, ...others] = error.details
  if (error.code === 'VALIDATION_ERROR' && detail !== undefined && others.length === 0) {
    return detail.path === '' ? problemText(detail) : `${detail.path}: ${problemText(detail)}`
  }
  const key = refusals[error.code]
  return key === undefined ? error.message : t(key)
}
