import assert from 'node:assert/strict'
import type { Answer, Client } from '../../support/client.ts'
import type { TestService } from '../../support/service.ts'
import type { Item } from './values.ts'
import type { Version } from './version.ts'

/** A process that serves a version of the schema. */
export interface Running {
  readonly service: TestService
  readonly version: Version
  /** Options that are on although the schema says no, since somebody has to decide first. */
  readonly waits: { readonly drafts: boolean; readonly trash: boolean }
}

export const hasOverlay = ({ version }: Running) => version.options.publication === 'overlay'

export async function waitsOf({ admin }: TestService): Promise<Running['waits']> {
  const { body } = await ask(admin, 'GET', '/api/database/preview', undefined, [200])
  const has = (wanted: string) => body.data.some(({ change }: Item) => change === wanted)
  return { drafts: has('end-drafts'), trash: has('end-trash') }
}

/** @throws AssertionError with the answer, if its status is none of `expected` */
export async function ask(
  client: Client,
  method: string,
  path: string,
  body: unknown,
  expected: readonly number[],
): Promise<Answer> {
  const answer = await client.request(method, path, { body })
  assert.ok(
    expected.includes(answer.status),
    `${method} ${path} ${body === undefined ? '' : JSON.stringify(body)} → ${answer.status} ${JSON.stringify(answer.body)}`,
  )
  return answer
}

/** Only what a waiting conversion cannot take may be refused. */
export function assertWaiting({
  error,
}: {
  readonly error: { readonly details: readonly { readonly code: string }[] }
}): void {
  assert.ok(
    error.details.every(({ code }) => code === 'unsupported'),
    JSON.stringify(error),
  )
}
