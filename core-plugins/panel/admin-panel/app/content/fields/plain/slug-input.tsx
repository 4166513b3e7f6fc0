import { t } from '../../../ground/i18n/translate.ts'
import { IconButton } from '../../../ground/kit/button/button.tsx'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { useEntrySession } from '../../entry/entry-session.ts'
import { useField } from '../../entry/use-field.ts'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import { slugify, slugSourceOf } from '../../schema/slug.ts'
import { joinPath, parentOf } from '../../schema/value-path.ts'
import { useWriting } from '../use-writing.ts'
import classes from './plain.module.css'
import { textLength } from './text-length.ts'

/** A slug. In a new entry it follows the title until the user edits it. */
export function SlugInput({ path, attribute, frame, placeholder }: FieldInputProps) {
  const { store, type } = useEntrySession()
  const { value, set, problem, disabled } = useField<string>(path)
  const { help, tooLong } = textLength(value, attribute, frame.help)
  const writing = useWriting(path)
  const source = joinPath(parentOf(path), slugSourceOf(attribute, type.titleField))
  return (
    <div className={classes.withButton}>
      <TextField
        {...frame}
        {...writing}
        help={help}
        problem={problem ?? tooLong}
        value={typeof value === 'string' ? value : ''}
        onChange={(text) => set(text === '' && !attribute.required ? null : text)}
        isDisabled={disabled}
        placeholder={placeholder ?? ''}
        autoComplete="off"
      />
      {!disabled && (
        <IconButton
          icon="refresh-cw"
          label={t('entry.slugAnew')}
          onPress={() => set(slugify(store.valueAt(source)))}
        />
      )}
    </div>
  )
}
