import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { refreshMedia } from '../../../content/files/refresh-media.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import type { FileVersion } from '../media-queries.ts'
import { ContestedWords, saveWords } from './save-words.ts'
import { unsavedWords } from './unsaved-words.ts'
import { changesOf, type Words, wordsOf } from './words.ts'

/** The edited description of a file, and saving it. */
export function useWords(version: FileVersion) {
  const { id, originalName } = version.file
  const [edits, setEdits] = useState<Partial<Words>>(() => unsavedWords.of(id)?.edits ?? {})
  // The version that the first edit was based on: the file may be reloaded while the user types.
  const [from, setFrom] = useState<FileVersion | undefined>(() => unsavedWords.of(id)?.from)
  const words = { ...wordsOf(version.file), ...edits }
  const isChanged = Object.keys(changesOf(version.file, words)).length > 0
  useEffect(() => {
    if (isChanged) unsavedWords.keep(id, { edits, from: from ?? version })
    else unsavedWords.forget(id)
  }, [id, isChanged, edits, from, version])
  useEffect(
    () => () => {
      if (unsavedWords.of(id) !== undefined) toast('info', t('media.wordsKept', { name: originalName }))
    },
    [id, originalName],
  )
  const saving = useMutation({
    mutationFn: () => saveWords(from ?? version, edits),
    async onSuccess() {
      await refreshMedia()
      start({})
      toast('success', t('media.savedNow'))
    },
    onError(error) {
      // Saving again confirms the overwrite, since the user has seen the other values.
      if (error instanceof ContestedWords) setFrom(error.theirs)
    },
  })
  const contested = saving.error instanceof ContestedWords ? saving.error : undefined

  function start(kept: Partial<Words>) {
    setEdits(kept)
    setFrom(undefined)
  }

  return {
    words,
    saving,
    contested,
    isChanged,
    edit(change: Partial<Words>) {
      setEdits({ ...edits, ...change })
      setFrom(from ?? version)
    },
    async takeTheirs() {
      const isContested = (name: string) => contested?.names.some((each) => each === name) === true
      await refreshMedia()
      start(Object.fromEntries(Object.entries(edits).filter(([name]) => !isContested(name))))
      saving.reset()
    },
  }
}
