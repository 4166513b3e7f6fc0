import { useState } from 'react'
import { useAccess } from '../../ground/access/access.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Dialog } from '../../ground/kit/dialog/dialog.tsx'
import { Tabs } from '../../ground/kit/tabs/tabs.tsx'
import { apiPrefix } from '../../ground/session/api-prefix.ts'
import { clientCodeOf } from './client-code.ts'
import { curlOf, tokenVariable } from './curl.ts'
import { graphqlOf } from './graphql-document.ts'
import type { ReadRequest } from './read-request.ts'
import classes from './requests.module.css'

export interface RequestDialogProps {
  readonly request: ReadRequest
  readonly onClose: () => void
}

/** Shows the API request in several languages to copy, without a token. */
export function RequestDialog({ request, onClose }: RequestDialogProps) {
  const hasGraphql = useAccess().isOn('graphql')
  const { origin } = location
  const code = (id: string, label: string, text: string) => ({
    id,
    label,
    content: <Code text={text} label={label} />,
  })
  const items = [
    code('curl', 'curl', curlOf(request, origin + apiPrefix)),
    code('client', t('requests.client'), clientCodeOf(request, { origin, apiPrefix })),
    ...(hasGraphql ? [{ id: 'graphql', label: 'GraphQL', content: <Graphql request={request} /> }] : []),
  ]
  return (
    <Dialog isOpen size="l" title={t('requests.title')} onClose={onClose}>
      <p>{t('requests.text', { variable: tokenVariable })}</p>
      <Tabs label={t('requests.title')} items={items} />
    </Dialog>
  )
}

function Graphql({ request }: { readonly request: ReadRequest }) {
  const graphql = graphqlOf(request)
  if ('document' in graphql) return <Code text={graphql.document} label="GraphQL" />
  return <p>{t('requests.notInGraphql', { names: graphql.unknown.join(', ') })}</p>
}

function Code({ text, label }: { readonly text: string; readonly label: string }) {
  const [state, setState] = useState<'copied' | 'failed'>()
  // Without https there is no clipboard access; the text can be selected instead.
  const copy = () =>
    (navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setState('copied'),
      () => setState('failed'),
    )
  return (
    <div className={classes.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className={classes.text} tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <div className={classes.actions}>
        <span role="status">{state !== undefined && t(`requests.${state}`)}</span>
        <Button icon="copy" onPress={() => void copy()}>
          {t('requests.copy')}
        </Button>
      </div>
    </div>
  )
}
