import { defineFieldType } from '../field-type.ts'
import { badDefault } from './options.ts'
import {
  accountTextSchema,
  checkShortText,
  comparableText,
  compileEmail,
  completeShortText,
  isEmail,
  shortTextColumn,
  shortTextIndexRoom,
  shortTextOptions,
  type TextAttribute,
  textFilter,
  textSchema,
} from './texts.ts'

const format = { format: 'email' } as const

export const emailType = defineFieldType<typeof shortTextOptions, TextAttribute>({
  name: 'email',
  shape: 'value',
  description: 'An e-mail address.',
  options: shortTextOptions,
  checkOptions(file) {
    const isAddress = file.default === undefined || isEmail(file.default)
    return [...checkShortText(file), ...(isAddress ? [] : [badDefault(file.default, 'be an e-mail address')])]
  },
  complete: completeShortText,
  column: shortTextColumn,
  compileCheck: compileEmail,
  jsonSchema: (attribute) => textSchema(attribute, format),
  accountSchema: (attribute) => accountTextSchema(attribute, format),
  filter: textFilter,
  graphql: () => ({ scalar: 'String' }),
  typescript: () => 'string',
  index: { isText: true, characters: shortTextIndexRoom },
  comparable: comparableText,
  search: { format: 'plain', isTitle: false },
})
