import { ShownChange } from '../../content/entry/diff/changes.tsx'
import { diffValue } from '../../content/entry/diff/diff-entry.ts'
import { useSchemaFacts } from '../../content/entry/diff/use-schema-facts.ts'
import { EntryContext, type EntrySession } from '../../content/entry/entry-session.ts'
import { FieldRow } from '../../content/entry/form/field-row.tsx'
import { useFieldFrame } from '../../content/entry/use-field.ts'
import { labelOf } from '../../content/schema/label.ts'
import type { DescribedAttribute } from '../../ground/api/content-types.ts'
import { localeName } from '../../ground/i18n/locale-name.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Badge } from '../../ground/kit/badge/badge.tsx'
import { IconButton } from '../../ground/kit/button/button.tsx'
import type { ComparedField } from './localizations.ts'
import classes from './translation.module.css'

export interface TranslatedFieldProps {
  readonly attribute: DescribedAttribute
  readonly original: EntrySession
  readonly locale: string
  /** The comparison, if the original has changed since the translation was up to date. */
  readonly compared: ComparedField | undefined
}

/** A field: the original read-only, and its translation to edit. */
export function TranslatedField({ attribute, original, locale, compared }: TranslatedFieldProps) {
  const { name } = attribute
  const label = labelOf(attribute)
  return (
    <div className={classes.pair} data-changed={compared !== undefined}>
      <fieldset className={classes.side}>
        <legend className={classes.unseen}>
          {t('translation.fieldIn', { field: label, locale: localeName(original.locale ?? '') })}
        </legend>
        {compared !== undefined && <Changed attribute={attribute} compared={compared} />}
        <EntryContext value={original}>
          <FieldRow path={name} attribute={attribute} />
        </EntryContext>
      </fieldset>
      <CopyOver name={name} label={label} original={original} />
      <fieldset className={classes.side}>
        <legend className={classes.unseen}>
          {t('translation.fieldIn', { field: label, locale: localeName(locale) })}
        </legend>
        <FieldRow path={name} attribute={attribute} />
      </fieldset>
    </div>
  )
}

/** The changes of the original. */
function Changed({
  attribute,
  compared,
}: Pick<TranslatedFieldProps, 'attribute'> & { compared: ComparedField }) {
  const facts = useSchemaFacts()
  const { before, source } = compared
  const change =
    facts === undefined || !('before' in compared)
      ? undefined
      : diffValue(attribute, before, source, facts.fieldsOf)
  return (
    <div className={classes.change}>
      <Badge tone="warning">{t('translation.changed')}</Badge>
      {change !== undefined && facts !== undefined && (
        <ShownChange change={change} layout="inline" facts={facts} />
      )}
    </div>
  )
}

interface CopyOverProps {
  readonly name: string
  readonly label: string
  readonly original: EntrySession
}

/** Copies the original into the translation, for names, numbers, and text to edit afterwards. */
function CopyOver({ name, label, original }: CopyOverProps) {
  const { set, disabled } = useFieldFrame(name)
  const value = original.store.valueAt(name)
  const isEmpty = value === null || value === undefined || value === ''
  return (
    <div className={classes.copy}>
      {!disabled && !isEmpty && (
        <IconButton
          icon="arrow-right"
          size="s"
          label={t('translation.copy', { field: label })}
          onPress={() => set(value)}
        />
      )}
    </div>
  )
}
