import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { matcherOf } from '../../kernel/index.ts'

describe('a pattern', () => {
  const cases: [string | string[], string, boolean][] = [
    ['admin:*', 'admin:backups.create', true],
    ['admin:*', 'content:entries.list', false],
    ['admin:*', 'x-admin:backups', false],
    ['admin:backups.*', 'admin:backups.create', true],
    ['admin:backups.*', 'admin:backupsXcreate', false],
    ['*.create', 'admin:backups.create', true],
    ['*.create', 'admin:backups.created', false],
    ['*', '', true],
    ['article', 'article', true],
    ['article', 'articles', false],
    [['a', 'b*'], 'bc', true],
    [['a', 'b*'], 'c', false],
    ['a.b(c)', 'a.b(c)', true],
    ['a*c', 'a\nc', true],
  ]
  for (const [pattern, name, expected] of cases) {
    it(`${JSON.stringify(pattern)} ${expected ? 'matches' : 'does not match'} ${JSON.stringify(name)}`, () =>
      assert.equal(matcherOf(pattern)(name), expected))
  }
})
