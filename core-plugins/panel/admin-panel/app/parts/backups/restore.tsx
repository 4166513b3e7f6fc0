import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../ground/api/client.ts'
import { queryClient } from '../../ground/api/query-client.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { TextField } from '../../ground/kit/field/text-field.tsx'
import { asChoice, type Backup, backupsResource, isRestoring, sectionsOf } from './backup.ts'
import { ChangeTable } from './change-table.tsx'
import type { Restoration } from './restoration.ts'
import classes from './restore.module.css'
import { SectionChoice } from './section-choice.tsx'

/** Restores a backup: shows the changes first, then asks the user to type its name. */
export function Restore({ backup }: { readonly backup: Backup }) {
  const [chosen, setChosen] = useState<readonly string[]>(sectionsOf(backup))
  const send = (dryRun: boolean) =>
    api.send<Restoration>('POST', `${backupsResource.path}/${backup.id}/restore`, {
      body: { dryRun, sections: asChoice(chosen) },
    })
  const preview = useMutation({ mutationFn: () => send(true) })
  const restore = useMutation({
    mutationFn: () => send(false),
    // The restore may have changed anything that the panel has cached.
    onSuccess: () => queryClient.invalidateQueries(),
    onSettled: preview.reset,
  })
  const error = restore.error ?? preview.error
  const isPending = restore.isPending || isRestoring(backup)
  return (
    <section className={classes.restore} aria-label={t('operations.backups.restore')}>
      <h2>{t('operations.backups.restore')}</h2>
      <p>{t('operations.backups.restoreText')}</p>
      <SectionChoice
        label={t('operations.backups.what')}
        offered={sectionsOf(backup)}
        chosen={chosen}
        onChange={(next) => {
          setChosen(next)
          preview.reset()
        }}
      />
      <div>
        <Button
          icon="diff"
          isPending={preview.isPending}
          isDisabled={chosen.length === 0 || isPending}
          onPress={() => preview.mutate()}
        >
          {t('operations.backups.check')}
        </Button>
      </div>
      {error !== null && <p role="alert">{errorText(error)}</p>}
      {preview.data !== undefined && <ChangeTable preview={preview.data} />}
      {preview.data?.success === true && !isPending && (
        <Confirmation name={backup.name} onConfirm={() => restore.mutate()} />
      )}
      <div role="status">{statusText(isPending, restore.data)}</div>
    </section>
  )
}

function statusText(isPending: boolean, data: Restoration | undefined): string {
  if (isPending) return t('operations.backups.restoring')
  if (data === undefined) return ''
  return data.restartRequired ? t('operations.backups.restoredRestart') : t('operations.backups.restored')
}

/** A restore overwrites data, so it takes more than a click. */
function Confirmation({ name, onConfirm }: { readonly name: string; readonly onConfirm: () => void }) {
  const [typed, setTyped] = useState('')
  return (
    <form
      className={classes.confirmation}
      onSubmit={(event) => {
        event.preventDefault()
        if (typed === name) onConfirm()
      }}
    >
      <TextField
        label={t('operations.backups.confirm', { name })}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
      />
      <div>
        <Button type="submit" look="danger" icon="archive-restore" isDisabled={typed !== name}>
          {t('operations.backups.restoreNow')}
        </Button>
      </div>
    </form>
  )
}
