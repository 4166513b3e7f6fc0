import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createAuth,
  mayHandOut,
  mayHandOutScopes,
} from '../../core-plugins/accounts/auth/roles/authorization.ts'
import { builtInRoles } from '../../core-plugins/accounts/auth/roles/built-in-roles.ts'
import {
  type CompiledPermissions,
  compilePermissions,
  contentActions,
  mediaActions,
  noPermissions,
  spellOut,
} from '../../core-plugins/accounts/auth/roles/permissions.ts'
import { AppError, type Principal } from '../../core-plugins/foundation/http/http.ts'

const types = ['article', 'page']
const all = { read: true, create: true, update: true, delete: true, publish: true }
const noMedia = {}

const anonymous: Principal = { kind: 'anonymous' }
const adminUser = (role: string): Principal => ({ kind: 'admin', id: 1, username: 'a', role })
const contentUser = (role: string): Principal => ({ kind: 'user', id: 1, username: 'u', role })
const apiToken = (...scopes: string[]): Principal => ({
  kind: 'token',
  id: 1,
  name: 't',
  scopes: new Set(scopes),
})

describe('compiled permissions', () => {
  it('allow exactly the actions that are granted on a type', () => {
    const permissions = compilePermissions(
      { content: { article: { read: true, delete: true } }, media: {} },
      types,
    )
    const allowed = contentActions.filter((action) => permissions.mayContent('article', action))
    assert.deepEqual(allowed, ['read', 'delete'])
    assert.equal(permissions.mayContent('page', 'read'), false)
  })

  it('take * for every type that is not named, and a name as an exception', () => {
    const content = { '*': all, page: { read: true } }
    const permissions = compilePermissions({ content, media: noMedia }, types)
    assert.equal(permissions.mayContent('article', 'delete'), true)
    assert.equal(permissions.mayContent('page', 'delete'), false)
    assert.equal(permissions.mayContent('page', 'read'), true)
  })

  it('allow on an unknown name only what is allowed on every type', () => {
    const content = { '*': { read: true, create: true }, page: { read: true } }
    const permissions = compilePermissions({ content, media: noMedia }, types)
    assert.equal(permissions.mayContent('nothing', 'read'), true)
    assert.equal(permissions.mayContent('nothing', 'create'), false)
  })

  it('know no type by the names that objects inherit', () => {
    const permissions = compilePermissions({ content: { article: all }, media: noMedia }, types)
    for (const name of ['__proto__', 'constructor', 'toString', '']) {
      assert.equal(permissions.mayContent(name, 'read'), false)
    }
  })

  it('allow exactly the media actions that are granted', () => {
    const permissions = compilePermissions({ content: {}, media: { read: true, write: false } }, types)
    assert.deepEqual(
      mediaActions.filter((action) => permissions.mayMedia(action)),
      ['read'],
    )
  })

  it('are spelled out without types that are gone', () => {
    const spelled = spellOut({ content: { gone: all, page: { read: true } }, media: {} }, new Set(types))
    assert.deepEqual(spelled, {
      content: { page: { read: true, create: false, update: false, delete: false, publish: false } },
      media: { read: false, write: false, delete: false },
    })
  })
})

describe('auth service', () => {
  const roles = new Map<string, CompiledPermissions>(
    [
      ...builtInRoles,
      {
        name: 'writer',
        permissions: { content: { article: { read: true, create: true } }, media: { read: true } },
      },
    ].map(({ name, permissions }) => [name, compilePermissions(permissions, types)]),
  )
  const auth = createAuth((role) => roles.get(role) ?? noPermissions)

  it('lets built-in admin roles do everything to content, and the others nothing', () => {
    for (const role of ['super-admin', 'admin', 'editor']) {
      assert.equal(auth.mayContent(adminUser(role), 'article', 'publish'), true, role)
      assert.equal(auth.mayMedia(adminUser(role), 'delete'), true, role)
    }
    assert.equal(auth.mayContent(contentUser('authenticated'), 'article', 'read'), false)
    assert.equal(auth.mayContent(anonymous, 'article', 'read'), false)
    assert.equal(auth.mayContent(adminUser('unknown'), 'article', 'read'), false)
  })

  it('checks tokens by their scopes', () => {
    const cases = { read: 'content:read', update: 'content:write', delete: 'content:delete' } as const
    for (const [action, scope] of Object.entries(cases)) {
      const name = action as keyof typeof cases
      assert.equal(auth.mayContent(apiToken(scope), 'article', name), true)
      assert.equal(auth.mayContent(apiToken('admin:*'), 'article', name), true)
      assert.equal(auth.mayContent(apiToken('content:publish', 'admin:users:write'), 'article', name), false)
    }
    assert.equal(auth.mayMedia(apiToken('media:read'), 'read'), true)
    assert.equal(auth.mayMedia(apiToken('media:read'), 'write'), false)
  })

  it('shows drafts to admin users who may read the type and to tokens that may write', () => {
    assert.equal(auth.seesDrafts(adminUser('writer'), 'article'), true)
    assert.equal(auth.seesDrafts(adminUser('writer'), 'page'), false)
    assert.equal(auth.seesDrafts(contentUser('writer'), 'article'), false)
    assert.equal(auth.seesDrafts(anonymous, 'article'), false)
    assert.equal(auth.seesDrafts(apiToken('content:read'), 'article'), false)
    for (const scope of ['content:write', 'content:publish', 'admin:*']) {
      assert.equal(auth.seesDrafts(apiToken(scope), 'article'), true, scope)
    }
  })

  it('knows administrators', () => {
    const administrators = [adminUser('admin'), adminUser('super-admin'), apiToken('admin:*')]
    assert.ok(administrators.every(auth.isAdministrator))
    const others = [adminUser('editor'), contentUser('admin'), apiToken('admin:users:write'), anonymous]
    assert.ok(!others.some(auth.isAdministrator))
  })

  it('refuses callers without credentials with 401 and others with 403', () => {
    const codeOf = (principal: Principal) => {
      try {
        return auth.refuse(principal)
      } catch (error) {
        return error instanceof AppError ? error.status : error
      }
    }
    assert.equal(codeOf(anonymous), 401)
    assert.equal(codeOf(contentUser('authenticated')), 403)
    assert.equal(codeOf(apiToken()), 403)
  })

  it('lets nobody hand out permissions that they lack', () => {
    const mayGive = (by: Principal, content: object, media: object = {}) =>
      mayHandOut(auth, by, { content: content as never, media })
    assert.equal(mayGive(adminUser('super-admin'), { '*': all }, { delete: true }), true)
    assert.equal(mayGive(adminUser('writer'), { article: { read: true, create: true, delete: false } }), true)
    assert.equal(mayGive(adminUser('writer'), { article: { delete: true } }), false)
    assert.equal(mayGive(adminUser('writer'), { '*': { read: true } }), false)
    assert.equal(mayGive(adminUser('writer'), {}, { write: true }), false)
    assert.equal(mayGive(apiToken('admin:roles:write'), { article: { read: true } }), false)
    assert.equal(mayGive(apiToken('content:read'), { article: { read: true } }), true)
  })

  it('lets nobody hand out scopes that they lack', () => {
    assert.equal(mayHandOutScopes(auth, adminUser('admin'), ['admin:*']), true)
    assert.equal(mayHandOutScopes(auth, adminUser('writer'), ['content:read']), false)
    assert.equal(mayHandOutScopes(auth, adminUser('writer'), ['admin:*']), false)
    assert.equal(mayHandOutScopes(auth, adminUser('writer'), ['media:read', 'webhooks:read']), true)
    assert.equal(mayHandOutScopes(auth, apiToken('admin:tokens:write'), ['content:read']), false)
    assert.equal(mayHandOutScopes(auth, apiToken('admin:tokens:write'), ['admin:tokens:write']), true)
    assert.equal(mayHandOutScopes(auth, apiToken('admin:*'), ['admin:*', 'content:write']), true)
  })
})
