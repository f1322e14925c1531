def web_page(scene, wish, top=0):
    return ""
