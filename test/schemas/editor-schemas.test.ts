import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { Ajv } from 'ajv'
import { registerFieldTypes } from '../../core-plugins/foundation/schemas/field-type-registry.ts'
import { builtInFieldTypes } from '../../core-plugins/foundation/schemas/field-types/built-in.ts'
import { editorSchemaFiles } from '../../core-plugins/foundation/schemas/files/editor-schemas.ts'
import { writeEditorSchemas } from '../../core-plugins/foundation/schemas/schemas.ts'
import { colorType } from '../../plugins/color/color-type.ts'
import { slow } from '../support/scope.ts'
import { withDirectory } from './schema-directory.ts'

const validatorOf = (text: string) => new Ajv({ strictTypes: false }).compile(JSON.parse(text))

describe('the JSON Schemas for editors', () => {
  it('are the committed ones; otherwise run `npm run mortise -- schema-files`', async () => {
    const ofProject = registerFieldTypes([{ plugin: 'color', value: colorType }])
    for (const [name, text] of editorSchemaFiles(ofProject)) {
      assert.equal(await readFile(join('schemas/.schema', name), 'utf8'), text, name)
    }
  })

  it('are written beside the schema files', async () => {
    await withDirectory({}, async (directory) => {
      const written = await writeEditorSchemas(directory, builtInFieldTypes)
      assert.deepEqual(
        written.map((path) => dirname(path)),
        Array(4).fill(join(directory, '.schema')),
      )
      assert.deepEqual(JSON.parse(await readFile(written[0] ?? '', 'utf8')).type, 'object')
    })
  })

  it('are named by every sample file, and take it', slow, async () => {
    const samples = (await readdir('schemas', { recursive: true })).filter(
      (path) => path.endsWith('.json') && !path.startsWith('.schema'),
    )
    assert.ok(samples.length > 10)
    for (const sample of samples) {
      const content = JSON.parse(await readFile(join('schemas', sample), 'utf8'))
      const path = resolve('schemas', dirname(sample), content.$schema)
      const validate = validatorOf(await readFile(path, 'utf8'))
      assert.ok(validate(content), `${sample}: ${JSON.stringify(validate.errors)}`)
    }
  })

  it('refuse what the service refuses', () => {
    const validate = validatorOf(editorSchemaFiles(builtInFieldTypes).get('extension.json') ?? '')
    assert.ok(validate({ attributes: { a: { type: 'bigint', min: '1' } } }))
    for (const attribute of [
      { type: 'strin' },
      { type: 'string', maxLenght: 1 },
      { type: 'enum' },
      { type: 'bigint', min: 'x' },
    ]) {
      assert.equal(validate({ attributes: { a: attribute } }), false, JSON.stringify(attribute))
    }
    assert.equal(validate({ attributes: { 'a-b': { type: 'string' } } }), false)
  })
})
