import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toCsv } from '../../../core-plugins/panel/admin-panel/app/content/list/export/csv.ts'

it('CSV keeps every character, and no spreadsheet runs what an entry says', () => {
  assert.equal(
    toCsv([
      ['a "word"', 'two\nlines', 'one, two', 7, true, null],
      ['=HYPERLINK("x")', '@cmd', '-5', '+1.5', '-x', -5],
    ]),
    '\uFEFF"a ""word""","two\nlines","one, two",7,true,\r\n"\'=HYPERLINK(""x"")",\'@cmd,-5,+1.5,\'-x,-5\r\n',
  )
})
