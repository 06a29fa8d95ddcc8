// Hostile: the compiler's words carry markup for the page that shows them; they are shown as text.
#error </code></pre><script>document.title = 1</script> ``` # Accepted
