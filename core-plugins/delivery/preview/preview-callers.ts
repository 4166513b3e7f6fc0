import type { Auth } from '../../accounts/auth/auth.ts'
import {
  AppError,
  type Maker,
  type Policy,
  type Principal,
  type TokenPrincipal,
} from '../../foundation/http/http.ts'
import type { PreviewTokens } from './preview-tokens.ts'

/** The principals with which a preview reads: a page never shows more than the maker of its token may read. */
export interface PreviewCaller {
  /** For the entry itself, including its draft. */
  readonly draftReader: TokenPrincipal
  /** For everything that the entry refers to, as the public sees it. */
  readonly publicReader: TokenPrincipal
}

/** The requested entry; the id as in the path. */
export interface AskedEntry {
  readonly type: string
  readonly id: string
  readonly authorization: string | undefined
}

/**
 * Undefined without a valid token for the entry, and once the maker may no longer read its draft.
 * @throws AppError 401 for an expired token
 */
export type FindPreviewCaller = (asked: AskedEntry) => Promise<PreviewCaller | undefined>

const maxTokenLength = 2048

export function createPreviewCallers(auth: Auth, tokens: PreviewTokens): FindPreviewCaller {
  return async ({ type, id, authorization = '' }) => {
    const token =
      authorization.length > maxTokenLength ? undefined : /^bearer (\S+)$/i.exec(authorization)?.[1]
    const claims = token === undefined ? undefined : tokens.verify(token)
    if (claims === 'expired') throw expired()
    if (claims === undefined || claims.type !== type || String(claims.id) !== id) return undefined
    const maker = await auth.makers.find(claims.maker)
    if (maker === undefined || !auth.mayContent(maker, type, 'read') || !auth.seesDrafts(maker, type)) {
      return undefined
    }
    return {
      draftReader: reader(maker, ['content:read', 'content:drafts']),
      publicReader: publicReader(maker),
    }
  }
}

function expired(): AppError {
  const message =
    'the preview token has expired: make another one, which the panel sends to open pages by itself'
  return new AppError('UNAUTHENTICATED', message, {
    details: [{ path: 'authorization', code: 'expired', message: 'has expired' }],
  })
}

/** A reader that sees what both the public and the principal may see. @throws AppError 401, 403 for the public itself */
export function publicReaderFor(auth: Auth, principal: Principal): TokenPrincipal {
  if (principal.kind !== 'admin' && principal.kind !== 'token') auth.refuse(principal)
  return publicReader(principal)
}

const publicReader = (maker: Maker) => reader(maker, ['content:read'])

/** A temporary token principal, which is not stored. */
const reader = (maker: Maker, scopes: readonly string[]): TokenPrincipal => ({
  ...{ kind: 'token', id: 0, name: 'preview', maker },
  scopes: new Set(scopes),
})

/** Decides who may read a preview; checked before the request is parsed. */
export const previewPolicy = (findCaller: FindPreviewCaller): Policy => ({
  name: 'content.preview',
  async check(request) {
    const { type = '', id = '' } = request.params
    return (await findCaller({ type, id, authorization: request.header('authorization') })) !== undefined
  },
})
