export { majority, nativeCollection as bare } from "./native-collection.js";
