import { defineFieldType } from '../field-type.ts'
import {
  accountTextSchema,
  checkShortText,
  comparableText,
  compileText,
  completeShortText,
  shortTextColumn,
  shortTextIndexRoom,
  shortTextOptions,
  type TextAttribute,
  textFilter,
  textSchema,
} from './texts.ts'

export const stringType = defineFieldType<typeof shortTextOptions, TextAttribute>({
  name: 'string',
  shape: 'value',
  description: 'A short text; at most 255 characters unless `maxLength` says otherwise.',
  options: shortTextOptions,
  checkOptions: checkShortText,
  complete: completeShortText,
  column: shortTextColumn,
  compileCheck: compileText,
  jsonSchema: (attribute) => textSchema(attribute),
  accountSchema: (attribute) => accountTextSchema(attribute),
  filter: textFilter,
  graphql: () => ({ scalar: 'String' }),
  typescript: () => 'string',
  index: { isText: true, characters: shortTextIndexRoom },
  comparable: comparableText,
  search: { format: 'plain', isTitle: true },
})
