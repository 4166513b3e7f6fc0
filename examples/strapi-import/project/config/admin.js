// Nobody can reach this Strapi: it is filled, exported and thrown away.
const secret = 'only-for-this-example'

module.exports = () => ({
  auth: { secret },
  apiToken: { salt: secret },
  transfer: { token: { salt: secret } },
  secrets: { encryptionKey: secret },
})
