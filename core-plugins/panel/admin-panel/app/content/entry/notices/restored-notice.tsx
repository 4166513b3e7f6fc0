import { useEffect, useSyncExternalStore } from 'react'
import { t, writtenLocale } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { labelOf } from '../../schema/label.ts'
import { useEntry, useEntrySession } from '../entry-session.ts'
import { Notice } from './notice.tsx'
import classes from './notices.module.css'

/** Says that unsaved changes were restored, and which. */
export function RestoredNotice() {
  const { restored, type, discard, reveal } = useEntrySession()
  const state = useSyncExternalStore(restored.subscribe, restored.get)
  const { isDirty } = useEntry()
  useEffect(() => {
    // The restored changes were saved or undone.
    if (!isDirty) restored.set(undefined)
  }, [isDirty, restored])
  if (state === undefined) return null
  const at = new Date(state.at).toLocaleString(writtenLocale(), { dateStyle: 'medium', timeStyle: 'short' })
  const fields = type.attributes.filter(({ name }) => state.fields.includes(name))
  const close = () => restored.set(undefined)
  return (
    <Notice
      tone="warning"
      action={
        <>
          <Button
            size="s"
            onPress={() => {
              discard()
              close()
            }}
          >
            {t('entry.discardRestored')}
          </Button>
          <Button size="s" onPress={close}>
            {t('entry.keepRestored')}
          </Button>
        </>
      }
    >
      <p>{t('entry.restored', { at })}</p>
      <ul className={classes.inline}>
        {fields.map((field) => (
          <li key={field.name}>
            <button type="button" className={classes.link} onClick={() => reveal(field.name)}>
              {labelOf(field)}
            </button>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
