/** Makes the browser save a file. */
export function offerFile(file: Blob, name: string) {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The URL must stay valid until the browser has started to read it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
