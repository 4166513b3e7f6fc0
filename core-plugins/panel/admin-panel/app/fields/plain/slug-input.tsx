import { useEntrySession } from '../../entry/entry-session.ts'
import { joinPath, parentOf } from '../../entry/store/value-path.ts'
import { useField } from '../../entry/use-field.ts'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../../kit/button/button.tsx'
import { TextField } from '../../kit/field/text-field.tsx'
import type { FieldInputProps } from '../registry.ts'
import { useWriting } from '../use-writing.ts'
import classes from './plain.module.css'
import { slugify, slugSourceOf } from './slug.ts'
import { textLength } from './text-length.ts'

/** The part of an address. In a new entry it follows the title until somebody writes another one. */
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
