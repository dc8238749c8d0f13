import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const groupings = catalogue({
  title: navigation.groupings,
  categories: ['Categories', 'Kategorien', 'Categorías'],
  groups: ['Groups', 'Gruppen', 'Grupos'],
  categoriesLead: [
    'A category lists products in the storefront. A product may be in several.',
    'Eine Kategorie listet Produkte im Shop. Ein Produkt kann in mehreren sein.',
    'Una categoría lista productos en la tienda. Un producto puede estar en varias.',
  ],
  groupsLead: [
    'A group shows several products as one card. A product is in at most one group.',
    'Eine Gruppe zeigt mehrere Produkte als eine Karte. Ein Produkt ist in höchstens einer Gruppe.',
    'Un grupo muestra varios productos en una tarjeta. Un producto está como mucho en un grupo.',
  ],
  noCategories: [
    'There are no categories yet. Add one to sort your products for customers.',
    'Es gibt noch keine Kategorien. Legen Sie eine an, um Ihre Produkte für Kunden zu ordnen.',
    'Aún no hay categorías. Añada una para ordenar sus productos.',
  ],
  noGroups: [
    'There are no groups yet. Add one to show editions of a product together.',
    'Es gibt noch keine Gruppen. Legen Sie eine an, um Ausgaben eines Produkts zusammen zu zeigen.',
    'Aún no hay grupos. Añada uno para mostrar juntas las ediciones de un producto.',
  ],
  sampleName: ['Games', 'Spiele', 'Juegos'],
  newCategory: ['New category', 'Neue Kategorie', 'Nueva categoría'],
  newGroup: ['New group', 'Neue Gruppe', 'Nuevo grupo'],
  slugHelp: [
    'Part of the address. If empty, it is made from the name.',
    'Der Name in Adressen. Bleibt er leer, entsteht er aus dem Namen.',
    'El nombre en las direcciones. Si queda vacío, se crea a partir del nombre.',
  ],
  description: ['Description', 'Beschreibung', 'Descripción'],
  image: ['Address of a picture', 'Adresse eines Bildes', 'Dirección de una imagen'],
  icon: ['Icon', 'Symbol', 'Icono'],
  iconHelp: ['A name or an emoji.', 'Ein Name oder ein Emoji.', 'Un nombre o un emoji.'],
  visibility: ['Visibility', 'Sichtbarkeit', 'Visibilidad'],
  public: ['Listed in the storefront', 'Im Shop gelistet', 'En la lista de la tienda'],
  unlisted: ['Only at its address', 'Nur unter ihrer Adresse', 'Solo en su dirección'],
  products: ['Products', 'Produkte', 'Productos'],
  noProducts: ['There are no products in it yet.', 'Noch keine Produkte.', 'Aún no hay productos.'],
  addProducts: ['Add products', 'Produkte hinzufügen', 'Añadir productos'],
  addToGroup: [
    'A product that is in another group leaves that group.',
    'Ein Produkt aus einer anderen Gruppe verlässt diese.',
    'Un producto que esté en otro grupo sale de ese grupo.',
  ],
  removeProduct: ['Remove', 'Entfernen', 'Quitar'],
  removeProductTitle: [
    'Remove {name} from {from}',
    '{name} aus {from} entfernen',
    'Quitar {name} de {from}',
  ],
  removeProductLead: [
    'The product is not deleted. Other products of “{from}”: {n}.',
    'Das Produkt selbst bleibt. Andere Produkte in „{from}“: {n}.',
    'El producto se conserva. Otros productos de «{from}»: {n}.',
  ],
  deleteCategory: ['Delete category', 'Kategorie löschen', 'Eliminar categoría'],
  deleteGroup: ['Delete group', 'Gruppe löschen', 'Eliminar grupo'],
  deleteLead: [
    'Removes “{name}” for good. Its products ({n}) stay.',
    'Entfernt „{name}“ endgültig. Die Produkte darin ({n}) bleiben.',
    'Elimina «{name}» para siempre. Sus productos ({n}) se conservan.',
  ],
  orderLead: [
    'The storefront shows them in this order.',
    'Der Shop zeigt sie in dieser Reihenfolge.',
    'La tienda los muestra en este orden.',
  ],
})
