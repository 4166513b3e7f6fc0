import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Account } from '../../core-plugins/accounts/auth/accounts/accounts.ts'
import { createAuth, mayHandOutScopes } from '../../core-plugins/accounts/auth/roles/authorization.ts'
import { builtInRoles } from '../../core-plugins/accounts/auth/roles/built-in-roles.ts'
import { compilePermissions, noPermissions } from '../../core-plugins/accounts/auth/roles/permissions.ts'
import { createRankRule, type RankedChange } from '../../core-plugins/accounts/auth/roles/rank.ts'
import type { Roles } from '../../core-plugins/accounts/auth/roles/roles.ts'
import type { Principal, TokenPrincipal } from '../../core-plugins/foundation/http/http.ts'

const types = ['article', 'page']
const writerRights = { content: { article: { read: true, create: true } }, media: { read: true } }
const readerRights = { content: { article: { read: true } }, media: {} }
const roleList = [
  ...builtInRoles,
  { name: 'writer', permissions: writerRights },
  { name: 'reader', permissions: readerRights },
]
const roles = new Map(roleList.map((role) => [role.name, role]))
const compiled = new Map(
  roleList.map(({ name, permissions }) => [name, compilePermissions(permissions, types)]),
)
const auth = createAuth((role) => compiled.get(role) ?? noPermissions)
const adminUser = (role: string) => ({ kind: 'admin', id: 1, username: 'a', role }) as const

describe('rank', () => {
  const mayChange = createRankRule(auth, { named: (name) => roles.get(name) } as Pick<
    Roles,
    'named'
  > as Roles)
  const account = (role: string) => ({ role }) as Account
  const may = (by: string, of: string | undefined, change: RankedChange) =>
    mayChange(adminUser(by), of === undefined ? undefined : account(of), change)

  it('lets super-admins change everybody', () => {
    for (const role of roles.keys()) {
      assert.ok(may('super-admin', role, { newRole: 'super-admin', opensAccount: true }), role)
    }
  })

  it('keeps all others from those who administer, and from making any', () => {
    for (const by of ['admin', 'writer']) {
      for (const role of ['super-admin', 'admin']) {
        for (const change of [{}, { opensAccount: true }, { newRole: 'reader' }, { newRole: role }]) {
          assert.equal(may(by, role, change), false, `${by} to ${role}`)
        }
        assert.equal(may(by, 'reader', { newRole: role }), false)
        assert.equal(may(by, undefined, { newRole: role }), false)
      }
    }
  })

  it('lets nobody give a role that may do more than they may', () => {
    assert.equal(may('writer', undefined, { newRole: 'reader' }), true)
    assert.equal(may('writer', undefined, { newRole: 'writer' }), true)
    assert.equal(may('writer', 'reader', { newRole: 'writer' }), true)
    assert.equal(may('reader', 'reader', { newRole: 'writer' }), false)
    assert.equal(may('reader', undefined, { newRole: 'writer' }), false)
    assert.equal(may('writer', undefined, { newRole: 'editor' }), false)
    assert.equal(may('admin', undefined, { newRole: 'editor' }), true)
    // That there is no such role is said by others.
    assert.equal(may('reader', undefined, { newRole: 'nothing' }), true)
  })

  it('lets anybody give the role that whoever registers gets, and leave a role as it is', () => {
    assert.equal(may('reader', undefined, { newRole: 'authenticated' }), true)
    assert.equal(may('reader', 'writer', { newRole: 'writer' }), true)
    assert.equal(may('reader', 'writer', {}), true)
  })

  it('keeps the passwords of those who may do more', () => {
    assert.equal(may('reader', 'writer', { opensAccount: true }), false)
    assert.equal(may('writer', 'reader', { opensAccount: true }), true)
    assert.equal(may('reader', 'authenticated', { opensAccount: true }), true)
    assert.equal(may('writer', undefined, { opensAccount: true, newRole: 'reader' }), true)
  })
})

describe('tokens that were made by somebody', () => {
  const token = (maker: TokenPrincipal['maker'] | undefined, ...scopes: string[]): Principal => ({
    ...{ kind: 'token', id: 1, name: 't', scopes: new Set(scopes) },
    ...(maker === undefined ? {} : { maker }),
  })
  const full = (maker?: TokenPrincipal['maker']) => token(maker, 'admin:*') as TokenPrincipal
  const [writer, admin] = [adminUser('writer'), adminUser('admin')]

  it('may do what both may, however many were made in between', () => {
    for (const by of [full(writer), full(full(writer))]) {
      assert.equal(auth.mayContent(by, 'article', 'create'), true)
      assert.equal(auth.mayContent(by, 'article', 'delete'), false)
      assert.equal(auth.mayMedia(by, 'read'), true)
      assert.equal(auth.mayMedia(by, 'write'), false)
      assert.equal(auth.seesDrafts(by, 'article'), true)
      assert.equal(auth.seesDrafts(by, 'page'), false)
      assert.equal(auth.isAdministrator(by), false)
      assert.equal(auth.mayAdminister(by, 'admin:users:read'), false)
    }
    const limited = full(token(admin, 'content:read', 'media:read') as TokenPrincipal)
    assert.equal(auth.mayContent(limited, 'page', 'read'), true)
    assert.equal(auth.mayContent(limited, 'page', 'update'), false)
    assert.equal(auth.mayMedia(limited, 'delete'), false)
    assert.equal(auth.seesDrafts(limited, 'page'), false)
    assert.equal(auth.mayAdminister(full(admin), 'admin:users:read'), true)
    assert.equal(auth.isSuperAdmin(full(adminUser('super-admin'))), false)
  })

  it('hand out no more than that either', () => {
    const asked = ['content:write']
    assert.equal(mayHandOutScopes(auth, full(admin), asked), true)
    assert.equal(mayHandOutScopes(auth, full(writer), asked), false)
    assert.equal(mayHandOutScopes(auth, full(token(admin, 'content:read') as TokenPrincipal), asked), false)
    assert.equal(mayHandOutScopes(auth, token(admin, 'content:read'), asked), false)
  })
})
