import assert from 'node:assert/strict'
import {
  type CheckedPayload,
  compilePayload,
  type PayloadChecker,
} from '../../core-plugins/entries/content/payload/payload.ts'
import { AppError, type ErrorDetail } from '../../core-plugins/foundation/http/http.ts'
import type { ComponentType } from '../../core-plugins/foundation/schemas/schemas.ts'
import { type AttributeDraft, type AttributeDrafts, contentType, schemasOf } from './payload-model.ts'

export const now = '2026-01-31T08:00:00.000Z'

/** The checks of a type `thing` with these attributes. */
export function checkerOf(drafts: AttributeDrafts, ...components: readonly ComponentType[]): PayloadChecker {
  return compilePayload(contentType('thing', drafts), schemasOf(...components))
}

/** What a value comes to as the value of a single attribute `field` of a new entry. */
export function checkValue(draft: AttributeDraft, value: unknown): unknown {
  const { problems, columns, links } = checkerOf({ field: draft }).forCreate({ field: value }, now)
  if (problems.length > 0) throw AppError.invalid(problems)
  return links.get('field') ?? columns.field
}

/** The problems of a call as `path code`, in the order told; it must be refused with 400. */
export function problemsOf(check: () => CheckedPayload | unknown): string[] {
  const problems = tryOut(check)
  assert.ok(problems.length > 0, 'the payload was accepted')
  return problems.map(({ path, code }) => `${path} ${code}`)
}

function tryOut(check: () => CheckedPayload | unknown): readonly ErrorDetail[] {
  try {
    return (check() as CheckedPayload | undefined)?.problems ?? []
  } catch (error) {
    assert.ok(error instanceof AppError, `expected an AppError, not ${error}`)
    assert.equal(error.code, 'VALIDATION_ERROR')
    return error.details ?? []
  }
}

/** Where a payload names which entries, by type. */
export function placesOf(references: CheckedPayload['references']) {
  const entries = [...references].map(([type, named]) => [type, named.map(({ id, path }) => ({ id, path }))])
  return Object.fromEntries(entries)
}
