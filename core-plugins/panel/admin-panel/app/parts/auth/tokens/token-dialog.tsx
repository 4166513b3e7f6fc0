import { useState } from 'react'
import type { IssuedToken } from '../../../../../../../client/admin.ts'
import { admin } from '../../../ground/api/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Select } from '../../../ground/kit/field/select.tsx'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { FormProblem } from '../../../ground/kit/form/form.tsx'
import { FormDialog } from '../../../ground/kit/form/form-dialog.tsx'
import { useForm } from '../../../ground/kit/form/use-form.ts'
import { accountProblems } from '../account-problems.ts'
import { endOf, lifetimesFromNow } from './lifetimes.ts'
import { ScopeChoice } from './scope-choice.tsx'
import { resource } from './token-resource.ts'

interface TokenDialogProps {
  readonly onIssued: (token: IssuedToken) => void
  readonly onClose: () => void
}

/** Creates an API token: name, lifetime and scopes. */
export function TokenDialog({ onIssued, onClose }: TokenDialogProps) {
  const [lifetimes] = useState(lifetimesFromNow)
  const form = useForm({
    initial: {
      ...{ name: '', description: '', expiresAt: lifetimes[1]?.value ?? '' },
      scopes: new Set<string>() as ReadonlySet<string>,
    },
    send: ({ expiresAt, scopes, ...values }) =>
      admin.apiTokens.create({ ...values, expiresAt: endOf(expiresAt), scopes: [...scopes] }),
    refreshes: [resource.key],
    onDone(token) {
      onClose()
      onIssued(token)
    },
    problemTexts: accountProblems,
  })
  const { values, set, input, problemOf } = form
  return (
    <FormDialog
      form={form}
      title={t('people.tokens.addTitle')}
      action={t('people.tokens.make')}
      size="l"
      onClose={onClose}
    >
      <TextField
        label={t('people.tokens.name')}
        help={t('people.tokens.nameHelp')}
        {...input('name')}
        maxLength={255}
        isRequired
        autoFocus
      />
      <TextField label={t('people.roles.description')} {...input('description')} maxLength={1000} />
      <Select label={t('people.tokens.lifetime')} options={lifetimes} {...input('expiresAt')} />
      <ScopeChoice chosen={values.scopes} onChange={(scopes) => set('scopes', scopes)} />
      <FormProblem text={problemOf('scopes')} />
    </FormDialog>
  )
}
