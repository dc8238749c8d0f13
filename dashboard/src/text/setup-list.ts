import { catalogue } from './catalogue.ts'

/** The setup steps on the home page. */
export const setupList = catalogue({
  title: ['Set up your store', 'Shop einrichten', 'Configure su tienda'],
  product: ['Create a product', 'Produkt anlegen', 'Crear un producto'],
  stock: ['Add stock or keys to it', 'Lager oder Keys hinzufügen', 'Añadir existencias o claves'],
  order: ['Make a test order', 'Testbestellung erstellen', 'Crear un pedido de prueba'],
  webhook: ['Add a webhook endpoint', 'Webhook-Endpunkt anlegen', 'Añadir un endpoint de webhook'],
  password: [
    'Set a password for your account',
    'Passwort für Ihr Konto festlegen',
    'Poner contraseña a su cuenta',
  ],
  done: ['done', 'erledigt', 'hecho'],
  todo: ['open', 'offen', 'pendiente'],
})
