import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { formatSchema } from '../../core-plugins/administration/schema-files/format.ts'
import { pointerTo } from '../../core-plugins/administration/schema-files/pointer.ts'

const samples = join(import.meta.dirname, '../../schemas')

describe('the text of a schema file', () => {
  it('is what formatters make of the samples', () => {
    for (const folder of [samples, join(samples, 'components')]) {
      for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
        const text = readFileSync(join(folder, name), 'utf8')
        assert.equal(formatSchema(JSON.parse(text)), text, name)
      }
    }
  })

  it('differs from the earlier one only where the content does', () => {
    const earlier = '{\n\t"kind": "x",\n\t"a": { "b": [1, {"c": "}\\"]"}], "long": [\n\t\t1\n\t] }\n}'
    assert.equal(formatSchema(JSON.parse(earlier), earlier), earlier, 'nothing has changed')
    const lines =
      '{\r\n  "info": { "name": "a" },\r\n  "list": [\r\n    "x"\r\n  ],\r\n  "flag": true\r\n}\r\n'
    const changed = { info: { name: 'b' }, list: ['x', 'y'], added: { type: 'string', of: [] } }
    assert.equal(
      formatSchema(changed, lines),
      [
        '{',
        '  "info": { "name": "b" },',
        '  "list": [',
        '    "x",',
        '    "y"',
        '  ],',
        '  "added": {',
        '    "type": "string",',
        '    "of": []',
        '  }',
        '}',
        '',
      ].join('\r\n'),
    )
    const wide = formatSchema({ a: { b: 'x'.repeat(120) } }, '{ "a": { "b": "" } }\n')
    assert.deepEqual(JSON.parse(wide), { a: { b: 'x'.repeat(120) } }, 'what no longer fits on a line')
  })

  it('is pointed into by JSON pointers, whatever names there are', () => {
    const content = { attributes: { 'a.b': { 'c/d': 1 }, e: [{ f: 1 }] } }
    assert.equal(pointerTo('attributes.a.b.c/d', content), '/attributes/a.b/c~1d')
    assert.equal(pointerTo('attributes.e.0.f', content), '/attributes/e/0/f')
    assert.equal(pointerTo('attributes.missing.type', content), '/attributes/missing/type')
    assert.equal(pointerTo('', content), '')
  })
})
