/**
 * A plugin's part of the panel to begin with: a page in the navigation and a widget of the home page, with what the
 * plugin's route answers at a path.
 */
export const panelText = (
  name: string,
  path: string,
): string => `import { api, Button, definePanelModule, defineTexts, Page, Skeleton, toast, useQuery } from 'mortise/panel'

const t = defineTexts({
  en: { title: '${titleOf(name)}', again: 'Say hello' },
  de: { title: '${titleOf(name)}', again: 'Grüßen' },
})

const hello = (signal?: AbortSignal) =>
  api.send<{ readonly message: string }>('GET', '/x/${name}/${path}', { signal })

/** At /admin/x/${name}. */
function HelloPage() {
  return (
    <Page title={t('title')} actions={<Button onPress={async () => toast('info', (await hello()).message)}>{t('again')}</Button>}>
      <Greeting />
    </Page>
  )
}

function Greeting() {
  const { data, error } = useQuery({ queryKey: ['${name}', 'hello'], queryFn: ({ signal }) => hello(signal) })
  if (error !== null) return <p>{error.message}</p>
  return data === undefined ? <Skeleton lines={1} /> : <p>{data.message}</p>
}

export default definePanelModule({
  pages: [{ path: '', label: t('title'), icon: 'smile', component: HelloPage }],
  widgets: [{ id: '${name}:hello', title: t('title'), icon: 'smile', component: Greeting }],
})
`

/** `my-plugin` as `My plugin`. */
function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
