const { writeFileSync } = require('node:fs')
const path = require('node:path')
const { crc32, deflateSync } = require('node:zlib')

/** Uploads pictures and documents, into folders and folders in them. */
async function makeFiles(strapi, folder) {
  const folders = strapi.plugin('upload').service('folder')
  const pictures = await folders.create({ name: 'Pictures', parent: null })
  const places = await folders.create({ name: 'Places', parent: pictures.id })
  const papers = await folders.create({ name: 'Papers', parent: null })
  const upload = uploader(strapi, folder)
  const images = []
  for (let index = 0; index < 10; index += 1) {
    const file = { name: `picture-${index}.png`, type: 'image/png', bytes: png(8 + index, index * 20) }
    images.push(await upload(file, [undefined, pictures.id, places.id][index % 3]))
  }
  const documents = []
  for (let index = 0; index < 4; index += 1) {
    const file = {
      name: `Bericht ${index} – größer.txt`,
      type: 'text/plain',
      bytes: Buffer.from(`Report ${index}\n`),
    }
    documents.push(await upload(file, papers.id))
  }
  return { images, documents }
}

function uploader(strapi, directory) {
  return async ({ name, type, bytes }, folder) => {
    const filepath = path.join(directory, name)
    writeFileSync(filepath, bytes)
    const fileInfo = {
      name,
      alternativeText: `Alternative of ${name}`,
      caption: `Caption of ${name}`,
      folder,
    }
    const [stored] = await strapi
      .plugin('upload')
      .service('upload')
      .upload({
        data: { fileInfo },
        files: { filepath, originalFilename: name, mimetype: type, size: bytes.length },
      })
    return stored
  }
}

/** A square in one colour. */
function png(size, shade) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(size * 3, shade)])
  const rows = Buffer.concat(Array.from({ length: size }, () => row))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

module.exports = { makeFiles }
