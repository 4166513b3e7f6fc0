import { defineFieldType } from '../field-type.ts'
import { compact } from './options.ts'
import { longTextMembers, type TextAttribute, textDefault } from './texts.ts'

const options = { default: textDefault }

export const richtextType = defineFieldType<typeof options, TextAttribute>({
  ...longTextMembers,
  name: 'richtext',
  description: 'HTML or structured text.',
  options,
  complete: ({ default: value }) => compact({ unique: false, default: value }),
  search: { format: 'html', isTitle: false },
})
